#!/usr/bin/env python3
"""Writes testdata/docs/reference/release-notes.pdf: three pages, headings in larger type, an outline, page numbers.

usage: make-sample-pdf.py OUT.pdf
Only the standard library; the same bytes every time.
"""
import sys

PAGES = [
    [("h1", "Kestrel release notes"),
     ("p", "These notes list what changed for users. Dates are release dates."),
     ("h2", "Version 4.0"),
     ("p", "Released on 10 April 2026. Snapshots are now encrypted at rest with the cluster key. The snapshot format"),
     ("p", "changed: nodes of version 3.x cannot read it, so that every node must be upgraded before the first backup."),
     ("p", "The flag --legacy-auth was removed. Use bearer tokens."),
     ("h2", "Version 3.2"),
     ("p", "Released on 2 November 2025. Batches accept 500 operations instead of 100. Reads with bounded consistency"),
     ("p", "may now be answered by any node, which halves their latency in clusters that span two regions.")],
    [("h2", "Version 3.1"),
     ("p", "Released on 14 May 2025. A stampede guard keeps a thousand clients from refilling the same cache entry."),
     ("p", "The metric cache.refill_wait_seconds shows how long they waited."),
     ("h2", "Version 3.0"),
     ("p", "Released on 20 January 2025. The storage engine was replaced by a log-structured merge tree. Compaction runs"),
     ("p", "in the background and uses at most a quarter of the disk bandwidth; change it with compaction.share.")],
    [("h2", "Version 2.8"),
     ("p", "Released on 3 June 2024. Last release of the 2.x series. Go from 2.8 to 3.0 before you go to 4.0."),
     ("h2", "Known issues"),
     ("p", "Clocks that differ by more than five seconds between nodes make leases expire early. Run a time daemon.")],
]
SIZES = {"h1": 22, "h2": 15, "p": 10.5}


def escape(text):
    return text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")


def main():
    objects, outline = [], []
    page_ids = [10 + 2 * i for i in range(len(PAGES))]
    for i, page in enumerate(PAGES):
        y, ops = 780, []
        for kind, text in page:
            size = SIZES[kind]
            y -= size * (2.2 if kind != "p" else 1.5)
            font = "/F2" if kind != "p" else "/F1"
            ops.append(f"BT {font} {size} Tf 1 0 0 1 60 {y:.1f} Tm ({escape(text)}) Tj ET")
            if kind != "p":
                outline.append((kind, text, page_ids[i], y + size))
        ops.append(f"BT /F1 9 Tf 1 0 0 1 280 40 Tm (Page {i + 1} of {len(PAGES)}) Tj ET")
        stream = "\n".join(ops).encode("latin-1")
        objects.append((page_ids[i], f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents {page_ids[i] + 1} 0 R "
                        "/Resources << /Font << /F1 3 0 R /F2 4 0 R >> >> >>".encode()))
        objects.append((page_ids[i] + 1, b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream)))
    first = 10 + 2 * len(PAGES)
    (_, top_text, top_page, top_y), rest = outline[0], outline[1:]
    ids = [first + 1 + i for i in range(len(rest))]
    objects.append((first, (f"<< /Title ({escape(top_text)}) /Parent 5 0 R /Dest [{top_page} 0 R /XYZ 60 {top_y:.1f} 0] "
                            f"/First {ids[0]} 0 R /Last {ids[-1]} 0 R /Count {len(ids)} >>").encode()))
    for i, (_, text, page, y) in enumerate(rest):
        links = (f" /Prev {ids[i - 1]} 0 R" if i else "") + (f" /Next {ids[i + 1]} 0 R" if i + 1 < len(ids) else "")
        objects.append((ids[i], (f"<< /Title ({escape(text)}) /Parent {first} 0 R "
                                 f"/Dest [{page} 0 R /XYZ 60 {y:.1f} 0]{links} >>").encode()))
    kids = " ".join(f"{i} 0 R" for i in page_ids)
    objects += [
        (1, b"<< /Type /Catalog /Pages 2 0 R /Outlines 5 0 R >>"),
        (2, f"<< /Type /Pages /Kids [{kids}] /Count {len(PAGES)} >>".encode()),
        (3, b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"),
        (4, b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>"),
        (5, f"<< /Type /Outlines /First {first} 0 R /Last {first} 0 R /Count 1 >>".encode()),
        (6, b"<< /Title (Kestrel release notes) /Author (Kestrel authors) /CreationDate (D:20260410090000Z) >>"),
    ]
    out, offsets = bytearray(b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n"), {}
    for number, body in sorted(objects):
        offsets[number] = len(out)
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    xref, size = len(out), max(offsets) + 1
    out += b"xref\n0 %d\n0000000000 65535 f \n" % size
    for number in range(1, size):
        out += b"%010d 00000 n \n" % offsets[number] if number in offsets else b"0000000000 65535 f \n"
    out += b"trailer\n<< /Size %d /Root 1 0 R /Info 6 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (size, xref)
    with open(sys.argv[1], "wb") as file:
        file.write(out)


main()
