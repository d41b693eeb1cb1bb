"""Our CSV reader on csv-spectrum, a collection of files and what they mean: csv_spectrum_test.py DUMP_RECORDS.

Others chose the files. They are fetched with npm, by version and hash. Ends with 77, which ctest calls skipped,
where npm is missing or its registry does not answer.
"""

import hashlib
import json
import pathlib
import shutil
import subprocess
import sys
import tarfile
import tempfile

BINARY = sys.argv[1]
PACKAGE = "csv-spectrum@2.0.0"
FILES = 12
SHA512 = (
    "8235bd60402472b268e0011dad5f7ee259145e53b26320bed40a7779fccc8945"
    "2cd4e4dd676f55ada05934104a64aee289491b30d91499f2a9fe39dacb31f100"
)
# Its quotes stand inside of fields that do not start with one, which RFC 4180 does not allow and we refuse.
REFUSED = "location_coordinates"


def skip(why):
    print(f"skipped: {why}")
    sys.exit(77)


def fetch(folder):
    """The package's file, in the folder."""
    if shutil.which("npm") is None:
        skip("npm is not installed")
    command = ["npm", "pack", PACKAGE, "--ignore-scripts", "--fetch-retries=0", "--fetch-timeout=20000"]
    try:
        run = subprocess.run(command, check=False, cwd=folder, capture_output=True, text=True, timeout=60)
    except subprocess.TimeoutExpired:
        skip("npm's registry does not answer")
    if run.returncode != 0:
        skip(f"npm could not fetch {PACKAGE}")
    return next(folder.glob("*.tgz"))


def read(path):
    """The records, each as a dictionary, or None where the file is refused."""
    run = subprocess.run([BINARY, "csv", str(path), ",", "7", "2"], check=False, capture_output=True, text=True)
    if run.returncode == 65:
        return None
    columns, *records = map(json.loads, run.stdout.split("\n")[:-1])
    return [dict(zip(columns, record)) for record in records]


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        package = fetch(folder)
        if hashlib.sha512(package.read_bytes()).hexdigest() != SHA512:
            sys.exit(f"{PACKAGE} is not what it was when this test was written")
        with tarfile.open(package) as archive:
            contents = {member.name: archive.extractfile(member).read() for member in archive if member.isfile()}
        files = [name for name in contents if name.endswith(".csv")]
        if len(files) != FILES:
            sys.exit(f"{PACKAGE} has {len(files)} files and should have {FILES}")
        for file in files:
            stem = pathlib.Path(file).stem
            expected = None if stem == REFUSED else json.loads(contents[f"package/json/{stem}.json"])
            path = folder / f"{stem}.csv"
            path.write_bytes(contents[file])
            if read(path) != expected:
                sys.exit(f"{stem}.csv is read as {read(path)} and should be {expected}")
        print(f"{PACKAGE}: {FILES - 1} files are read as they should be, 1 is refused as it should be")


if __name__ == "__main__":
    main()
