"""Makes the files of testdata/office: pip install python-docx python-pptx openpyxl ebooklib odfpy pypandoc_binary."""

import datetime
import email.message
import sys
from pathlib import Path

import docx
import openpyxl
import pypandoc
from docx.enum.style import WD_STYLE_TYPE
from ebooklib import epub
from openpyxl.comments import Comment
from pptx import Presentation
from pptx.chart.data import CategoryChartData
from pptx.enum.chart import XL_CHART_TYPE
from pptx.util import Inches

OUT = Path(sys.argv[1])
DAY = datetime.datetime(2024, 1, 3, 12, 0)


def word():
    document = docx.Document()
    core = document.core_properties
    core.title, core.author, core.created, core.modified = "Bridge report", "Ann Lee", DAY, DAY
    document.add_heading("Bridge report", 0)
    document.add_paragraph("The bridge was inspected in January.")
    document.add_heading("Findings", 1)
    style = document.styles.add_style("Eigene Überschrift", WD_STYLE_TYPE.PARAGRAPH)
    style.base_style = document.styles["Heading 2"]
    document.add_paragraph("Deck", style="Eigene Überschrift")
    for text in ("Rust at the joints", "Loose bolts"):
        document.add_paragraph(text, style="List Bullet")
    for text in ("Close the lane", "Replace the bolts"):
        document.add_paragraph(text, style="List Number")
    table = document.add_table(rows=3, cols=3, style="Table Grid")
    for at, text in enumerate(("Part", "State", "Cost")):
        table.cell(0, at).text = text
    table.cell(1, 0).text, table.cell(1, 1).text, table.cell(1, 2).text = "Joint", "bad", "1200"
    table.cell(2, 0).merge(table.cell(2, 1)).text = "Total"
    table.cell(2, 2).text = "1200"
    paragraph = document.add_paragraph("The next inspection is due in June.")
    document.add_comment(paragraph.runs, text="Or in July?", author="Ben", initials="B")
    document.sections[0].header.paragraphs[0].text = "running header"
    document.save(OUT / "report.docx")


def slides():
    show = Presentation()
    show.core_properties.title, show.core_properties.author = "Plan", "Ann Lee"
    first = show.slides.add_slide(show.slide_layouts[1])
    first.shapes.title.text = "Goals"
    body = first.placeholders[1].text_frame
    body.text = "Open the bridge"
    below = body.add_paragraph()
    below.text, below.level = "by summer", 1
    body.add_paragraph().text = "Stay below the budget"
    first.notes_slide.notes_text_frame.text = "Mention the donors."
    second = show.slides.add_slide(show.slide_layouts[5])
    second.shapes.title.text = "Costs"
    table = second.shapes.add_table(2, 2, Inches(1), Inches(2), Inches(4), Inches(1)).table
    for row, cells in enumerate((("Part", "Cost"), ("Joint", "1200"))):
        for column, text in enumerate(cells):
            table.cell(row, column).text = text
    data = CategoryChartData()
    data.categories = ["2023", "2024"]
    data.add_series("Spent", (0.25, 0.5))
    second.shapes.add_chart(XL_CHART_TYPE.COLUMN_CLUSTERED, Inches(1), Inches(4), Inches(4), Inches(2), data)
    third = show.slides.add_slide(show.slide_layouts[6])
    third.shapes.add_textbox(Inches(1), Inches(1), Inches(4), Inches(1)).text_frame.text = "Questions?"
    show.save(OUT / "plan.pptx")


def sheets():
    book = openpyxl.Workbook()
    book.properties.creator, book.properties.created, book.properties.modified = "Ann Lee", DAY, DAY
    sheet = book.active
    sheet.title = "Costs 2024"
    sheet["A1"] = "Costs of the bridge"
    for row in (["Part", "Due", "Cost", "Paid", "Share"], ["Joint", datetime.date(2024, 6, 1), 1200.5, True, 0.25],
                ["Bolts", DAY, 80, False, 0.75]):
        sheet.append(row)
    sheet["E3"].number_format = sheet["E4"].number_format = "0%"
    sheet["A4"].comment = Comment("200 of them", "Ben")
    sheet["G9"], sheet["H9"], sheet["G10"] = "Code", "Meaning", "J | 1"
    sheet.merge_cells("G10:H10")
    hidden = book.create_sheet("Rates")
    hidden["A1"], hidden.sheet_state = "internal rate", "hidden"
    book.save(OUT / "costs.xlsx")


def book():
    made = epub.EpubBook()
    made.set_identifier("urn:x:1")
    made.set_title("Two bridges")
    made.set_language("en")
    made.add_author("Ann Lee")
    one = epub.EpubHtml(title="The first bridge", file_name="one.xhtml")
    one.content = "<h1>The first bridge</h1><p>It was built of wood.<a id='n'/></p><h2>Its end</h2><p>It burned.</p>"
    two = epub.EpubHtml(title="The second bridge", file_name="two.xhtml")
    two.content = "<p class='title'>II</p><p>It was built of stone.</p><aside><p>A note.</p></aside>"
    for page in (one, two):
        made.add_item(page)
    made.toc = (one, two)
    made.add_item(epub.EpubNcx())
    made.add_item(epub.EpubNav())
    made.spine = ["nav", one, two]
    epub.write_epub(OUT / "bridges.epub", made)


MARKDOWN = """---
title: Notes on joints
author: Ann Lee
---

# Joints

A joint[^1] moves. See [the norm](https://example.org/norm).

[^1]: Also called a hinge.

## Kinds

1. sliding
2. turning
   - with pins

| Kind | Load |
|------|-----:|
| pin  | 12   |
| ball | 7    |

    code line 1
      code line 2

Größe, 高さ, «цена» $x^2$
"""


def by_pandoc():
    for target in ("docx", "odt", "rtf"):
        pypandoc.convert_text(MARKDOWN, target, format="markdown", outputfile=str(OUT / f"joints.{target}"),
                              extra_args=["--standalone"])


def mail():
    message = email.message.EmailMessage()
    message["From"], message["To"] = "Ann Lee <ann@example.org>", "Jürgen Öl <j@example.org>"
    message["Subject"], message["Date"] = "Größe der Brücke", "Wed, 03 Jan 2024 12:00:00 +0100"
    message.set_content("Die Brücke ist 30 m lang.\n\nGruß\nAnn\n", charset="iso-8859-1", cte="quoted-printable")
    message.add_alternative("<p>Die Brücke ist <b>30 m</b> lang.</p><p>Gruß<br>Ann</p>", subtype="html")
    message.add_attachment(b"%PDF-1.4", maintype="application", subtype="pdf", filename="plan.pdf")
    message.set_boundary("outer")
    next(iter(message.iter_parts())).set_boundary("inner")
    (OUT / "bridge.eml").write_bytes(message.as_bytes())


def delimited():
    (OUT / "cp932.csv").write_bytes("名前,住所,備考\r\n山田太郎,東京都千代田区,\"改行\r\nあり\"\r\n佐藤花子,大阪府大阪市,特になし\r\n".encode("cp932"))
    (OUT / "semicolons.csv").write_text("Teil;Preis\nGelenk;1.200,50\n\"Bolzen; groß\";80,00\n", encoding="utf-8-sig")


for make in (word, slides, sheets, book, by_pandoc, mail, delimited):
    make()
