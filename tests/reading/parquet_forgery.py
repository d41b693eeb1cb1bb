"""parquet_forgery: Parquet files whose statements about themselves are lies, made of honest ones."""

import copy
import itertools


OTHER_FILE = "which makes it another file"

# Thrift's compact protocol, without a schema: a struct is {number of the field: (type, value)}, a list (type, values).
TRUE, FALSE, BYTE, I16, I32, I64, DOUBLE, BINARY, LIST, SET, MAP, STRUCT = range(1, 13)


class Thrift:
    def __init__(self, data, at=0):
        self.data, self.at = data, at

    def take(self, count):
        self.at += count
        return bytes(self.data[self.at - count : self.at])

    def varint(self):
        value, shift, byte = 0, 0, 0x80
        while byte >= 0x80:
            byte = self.take(1)[0]
            value |= (byte & 0x7F) << shift
            shift += 7
        return value

    def zigzag(self):
        value = self.varint()
        return (value >> 1) ^ -(value & 1)

    def value(self, kind):
        if kind in (TRUE, FALSE):
            return kind == TRUE
        if kind in (I16, I32, I64):
            return self.zigzag()
        if kind == LIST:
            head = self.take(1)[0]
            count = self.varint() if head >> 4 == 15 else head >> 4
            flags = head & 15 in (TRUE, FALSE)
            return head & 15, [self.take(1)[0] if flags else self.value(head & 15) for _ in range(count)]
        if kind == STRUCT:
            return self.fields()
        return self.take({BYTE: 1, DOUBLE: 8}.get(kind) or self.varint())

    def fields(self):
        fields, last = {}, 0
        while head := self.take(1)[0]:
            last = last + (head >> 4) if head >> 4 else self.zigzag()
            fields[last] = (head & 15, self.value(head & 15))
        return fields


def varint(value):
    return bytes([value]) if value < 0x80 else bytes([value & 0x7F | 0x80]) + varint(value >> 7)


def encode(kind, value):
    if kind in (TRUE, FALSE):
        return b""
    if kind in (I16, I32, I64):
        return varint((value << 1) ^ (value >> 63))
    if kind == BINARY:
        return varint(len(value)) + value
    if kind == LIST:
        element, items = value
        head = bytes([min(len(items), 15) << 4 | element]) + (varint(len(items)) if len(items) >= 15 else b"")
        return head + (bytes(items) if element in (TRUE, FALSE) else b"".join(encode(element, item) for item in items))
    if kind != STRUCT:
        return value
    out, last = b"", 0
    for number, (field_kind, field) in sorted(value.items()):
        if field_kind in (TRUE, FALSE):
            field_kind = TRUE if field else FALSE
        step = number - last
        out += bytes([step << 4 | field_kind]) if step < 16 else bytes([field_kind]) + encode(I16, number)
        out += encode(field_kind, field)
        last = number
    return out + b"\0"


class Forgery:
    """A Parquet file, to be changed: what lies before the footer, and the footer."""

    def __init__(self, data):
        length = int.from_bytes(data[-8:-4], "little")
        self.data = bytearray(data[: -8 - length])
        self.footer = Thrift(data[-8 - length : -8]).fields()

    def content(self):
        footer = encode(STRUCT, self.footer)
        return bytes(self.data) + footer + len(footer).to_bytes(4, "little") + b"PAR1"

    def groups(self):
        return self.footer[4][1][1]

    def chunks(self, leaf=None):
        """The chunks of a column, one for each row group; or all."""
        return [c for group in self.groups() for c in (group[1][1][1] if leaf is None else [group[1][1][1][leaf]])]

    def pages(self, meta):
        """Place, length and fields of the header of each page of a chunk."""
        at = meta[11][1] if 11 in meta else meta[9][1]
        end, pages = at + meta[7][1], []
        while at < end:
            reader = Thrift(self.data, at)
            header = reader.fields()
            pages.append((at, reader.at - at, header))
            at = reader.at + header[3][1]
        return pages

    def put_header(self, meta, page, header):
        """Another header for a page, moving what is behind it."""
        at, length, _ = page
        fresh = encode(STRUCT, header)
        self.data[at : at + length] = fresh
        moved = len(fresh) - length
        for chunk in self.chunks():
            for number in (4, 5, 6, 7):  # the page index would have to move, and is optional
                chunk.pop(number, None)
            for number in (9, 10, 11, 14):
                if number in chunk[3][1] and chunk[3][1][number][1] > at:
                    add(chunk[3][1], number, moved)
        add(meta, 7, moved)


def add(fields, number, change):
    fields[number] = (fields[number][0], fields[number][1] + change)


def value_lies(leaf):
    """What is said of the values of a column: by name, a change that says whether there is anything to lie about."""

    def in_statistics(change):
        def lie(forgery):
            told = [c[3][1][12][1] for c in forgery.chunks(leaf) if 12 in c[3][1]]
            for chunk in forgery.chunks(leaf):
                if 12 in chunk[3][1]:
                    change(chunk[3][1][12][1], chunk[3][1][5][1])
            return bool(told)

        return lie

    def ends(keep):
        def change(told, _):
            for pair in ((5, 6), (1, 2)):
                if all(number in told for number in pair):
                    told[pair[0]] = told[pair[1]] = told[pair[keep]]

        return in_statistics(change)

    def swapped(told, _):
        if 5 in told and 6 in told:
            told[5], told[6] = told[6], told[5]

    def page_index(forgery):
        for chunk in forgery.chunks(leaf):
            if 6 not in chunk:
                return False
            index = Thrift(forgery.data, chunk[6][1]).fields()
            # Every page holds nothing but missing values.
            index[1] = (LIST, (TRUE, [1] * len(index[1][1][1])))
            index[2] = index[3] = (LIST, (BINARY, [b""] * len(index[1][1][1])))
            chunk[6], chunk[7] = (I64, len(forgery.data)), (I32, len(encode(STRUCT, index)))
            forgery.data += encode(STRUCT, index)
        return True

    def bloom(forgery):
        for chunk in forgery.chunks(leaf):
            if 14 not in chunk[3][1]:
                return False
            reader = Thrift(forgery.data, chunk[3][1][14][1])
            size = reader.fields()[1][1]
            forgery.data[reader.at : reader.at + size] = bytes(size)
        return True

    def in_pages(forgery):
        for chunk in forgery.chunks(leaf):
            page = next(page for page in forgery.pages(chunk[3][1]) if 5 in page[2] or 8 in page[2])
            header = copy.deepcopy(page[2])
            counts, number = (header[5][1], 5) if 5 in header else (header[8][1], 8)
            counts[number] = (STRUCT, {3: counts[1], 5: (BINARY, b"\0" * 8), 6: (BINARY, b"\0" * 8)})
            forgery.put_header(chunk[3][1], page, header)
        return True

    def sorted_by(forgery):
        for group in forgery.groups():
            group[4] = (LIST, (STRUCT, [{1: (I32, leaf), 2: (TRUE, False), 3: (TRUE, True)}]))
        return True

    return {
        "all values are the smallest": ends(1),
        "all values are the largest": ends(0),
        "smallest and largest are swapped": in_statistics(swapped),
        "all values are missing": in_statistics(lambda told, values: told.update({3: (I64, values)})),
        "no value is missing": in_statistics(lambda told, _: told.update({3: (I64, 0)})),
        "there is one distinct value": in_statistics(lambda told, _: told.update({4: (I64, 1)})),
        "no value has another": in_statistics(lambda told, values: told.update({4: (I64, values)})),
        "pages in the index are empty": page_index,
        "the Bloom filter is empty": bloom,
        "the first page is empty, as its header says": in_pages,
        "rows are sorted": sorted_by,
    }


def count_lies():
    """What is said of rows, sizes and places."""

    def rows(in_file, in_group, in_chunks):
        def lie(forgery):
            add(forgery.footer, 3, in_file)
            add(forgery.groups()[0], 3, in_group)
            for chunk in forgery.groups()[0][1][1][1]:
                add(chunk[3][1], 5, in_chunks)
            return True

        return lie

    def moved_rows(forgery):
        """From one group to another, in all that is said."""
        for group, change in ((forgery.groups()[0], 1), (forgery.groups()[1], -1)):
            add(group, 3, change)
            for chunk in group[1][1][1]:
                add(chunk[3][1], 5, change)
        return True

    def exchanged(forgery):
        """The second group's chunks are the first one's too."""
        forgery.groups()[1][1] = copy.deepcopy(forgery.groups()[0][1])
        add(forgery.footer, 3, forgery.groups()[0][3][1] - forgery.groups()[1][3][1])
        forgery.groups()[1][3] = forgery.groups()[0][3]
        return True

    lies = {f"{change} rows": rows(*change) for change in itertools.product((-1, 0, 1), repeat=3) if any(change)}
    lies |= {"rows of the next group": moved_rows, "a group twice": exchanged}
    return lies


def layout_lies(leaf):
    """What is said of sizes, places and pages of a column, in the first row group."""

    def in_chunk(number, change):
        def lie(forgery):
            meta = forgery.chunks(leaf)[0][3][1]
            if number in meta:
                add(meta, number, change)
            return number in meta

        return lie

    def other_chunk(numbers, group, other):
        """It is where that of another group or column is."""

        def lie(forgery):
            meta = forgery.chunks(leaf)[0][3][1]
            chunks = forgery.groups()[group][1][1][1]
            source = chunks[other % len(chunks)][3][1]
            for number in numbers:
                meta.pop(number, None)
                if number in source:
                    meta[number] = source[number]
            return True

        return lie

    def no_dictionary(forgery):
        return forgery.chunks(leaf)[0][3][1].pop(11, None) is not None

    def in_page(which, change):
        """Changes the header of a page: of a dictionary, or the counts of a data page by their number."""

        def lie(forgery):
            meta = forgery.chunks(leaf)[0][3][1]
            pages = [page for page in forgery.pages(meta) if (7 in page[2]) == (which == "dictionary")]
            if not pages:
                return False
            page = pages[-1 if which == "last" else 0]
            header = copy.deepcopy(page[2])
            counts = next(header[number][1] for number in (5, 7, 8) if number in header)
            if change(header, counts) is False:
                return False
            forgery.put_header(meta, page, header)
            return True

        return lie

    def count(number, by):
        def change(header, counts):
            if 8 not in header and number != 1:
                return False
            add(counts, number, by)

        return change

    def values_and_rows(by):
        def change(header, counts):
            for number in (1, 3) if 8 in header else (1,):
                add(counts, number, by)

        return change

    def both(first, last):
        return lambda forgery: in_page("first", first)(forgery) and in_page("last", last)(forgery)

    lies = {f"{by} in field {number}": in_chunk(number, by) for number in (5, 6, 7, 9, 11) for by in (-1, 1, 1 << 40)}
    lies |= {
        "the next column's pages": other_chunk((7, 9, 11), 0, leaf + 1),
        "the next column's dictionary": other_chunk((11,), 0, leaf + 1),
        "the next group's pages": other_chunk((7, 9, 11), 1, leaf),
        "the next group's dictionary": other_chunk((11,), 1, leaf),
        "no dictionary": no_dictionary,
        "the page is longer": in_page("first", lambda header, _: add(header, 3, 1)),
        "the page is shorter": in_page("first", lambda header, _: add(header, 3, -1)),
        "the page is longer in memory": in_page("first", lambda header, _: add(header, 2, 1)),
        "the page is shorter in memory": in_page("first", lambda header, _: add(header, 2, -1)),
        "another kind of page": in_page("first", lambda header, _: header.update({1: (I32, 1)})),
        "values of the last page, " + OTHER_FILE: both(values_and_rows(1), values_and_rows(-1)),
        "values for the last page, " + OTHER_FILE: both(values_and_rows(-1), values_and_rows(1)),
    }
    for by in (-1, 1):
        lies |= {f"{by} in the dictionary": in_page("dictionary", count(1, by))}
        lies |= {f"{by} in count {number} of the page": in_page("first", count(number, by)) for number in (1, 2, 3, 6)}
        # In pages of version 2: where the levels end and the values start.
        lies[f"{by} byte of levels, {OTHER_FILE}"] = in_page("first", count(5, by))
    return lies
