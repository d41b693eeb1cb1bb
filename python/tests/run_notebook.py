"""Runs a notebook without Jupyter, cell after cell: `python run_notebook.py NOTEBOOK` records what the cells show.

Cells with the tag `noise` show something else each time. What the others show is compared by notebook_test.py.
"""

import ast
import contextlib
import io
import json
import os
import pathlib
import re
import sys
import tempfile


def show(value, printed):
    """The outputs of a cell, as a notebook holds them. Paths start from the folder of the run."""
    here = os.getcwd() + os.sep
    outputs = []
    if printed:
        outputs.append({"name": "stdout", "output_type": "stream", "text": printed.splitlines(True)})
    if value is not None:
        data = {"text/plain": repr(value).replace(here, "").splitlines(True)}
        page = getattr(value, "_repr_html_", None)
        if page is not None:
            # Where notebooks are read without running them, frames are not shown.
            text = re.sub(r"<details>.*</details>", "", page(), flags=re.DOTALL)
            data["text/html"] = text.replace(here, "").splitlines(True)
        outputs.append({"data": data, "execution_count": None, "metadata": {}, "output_type": "execute_result"})
    return outputs


def run_cell(source, names):
    tree = ast.parse(source)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, "cell", "exec"), names)
        value = None if last is None else eval(compile(ast.Expression(last.value), "cell", "eval"), names)
    return show(value, printed.getvalue())


def run(notebook):
    """Each code cell of the notebook, with what it shows now. Files go to the folder one is in."""
    names = {}
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            yield cell, run_cell("".join(cell["source"]), names)


def record(path):
    notebook = json.loads(path.read_text("utf-8"))
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        for number, (cell, outputs) in enumerate(run(notebook), 1):
            cell["execution_count"] = number
            cell["outputs"] = [
                {**output, "execution_count": number} if "execution_count" in output else output for output in outputs
            ]
    path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    record(pathlib.Path(sys.argv[1]).resolve())
