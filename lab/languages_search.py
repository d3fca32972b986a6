#!/usr/bin/env python3
"""Does search find a page by its name in eight scripts, spelled exactly first and then without accents and points?

    lab/languages_search.py LSHCLUST

Each row: a name, another page whose name differs only by accents or points, what people type without them.
"""
import json, pathlib, subprocess, sys, time, urllib.parse, urllib.request

rows = [
    ("Latin", "Malmö stadsbibliotek", "Malmo stadsbibliotek", "malmo stadsbibliotek"),
    ("Latin, Vietnamese", "Thư viện Hà Nội", "Thư viện Ha Noi", "thu vien ha noi"),
    ("Latin, Polish", "Muzeum w Łodzi", "Muzeum w Lodzi", "muzeum w lodzi"),
    ("Cyrillic", "Жёлтый берёзовый лес", "Желтый березовый лес", "желтый березовый лес"),
    ("Greek", "Αθηναϊκή βιβλιοθήκη", "Αθηναικη βιβλιοθηκη", "αθηναικη βιβλιοθηκη"),
    ("Arabic", "مَكتبة الإسكندرية", "مكتبة الاسكندرية", "مكتبة الاسكندرية"),
    ("Hebrew", "סִפְרִיָּה לאומית", "ספריה לאומית", "ספריה לאומית"),
    ("Devanagari", "राष्ट्रीय पुस्तकालय दिल्ली", "", "राष्ट्रीय पुस्तकालय"),
    ("Thai", "หอสมุดแห่งชาติ", "", "หอสมุดแห่งชาติ"),
    ("Han", "国家图书馆分馆", "", "国家图书馆"),
    ("Kana", "ピボットテーブルの作り方", "", "ピボットテーブル"),
    ("Hangul", "국립중앙도서관 안내", "", "국립중앙도서관"),
]
pages = [{"url": f"https://x.example/{i}/{j}", "html": f"<title>{name}</title><p>Page {i} {j}, among others."} for i, (_, *names, _) in enumerate(rows) for j, name in enumerate(names) if name]
pages += [{"url": f"https://x.example/other/{i}", "html": f"<title>Other page {i}</title><p>Nothing about it."} for i in range(50)]
pathlib.Path("search.jsonl").write_text("".join(json.dumps(p) + "\n" for p in pages))
subprocess.run([sys.argv[1], "cluster", "-q", "-o", "search.run", "search.jsonl"], check=True)
server = subprocess.Popen([sys.argv[1], "serve", "search.run", "--listen", "127.0.0.1:18765"], stderr=subprocess.PIPE, encoding="utf-8")
for _ in range(100):
    try:
        urllib.request.urlopen("http://127.0.0.1:18765/", timeout=5).close()
        break
    except OSError:
        time.sleep(0.1)
try:
    for i, (script, name, other, typed) in enumerate(rows):
        for query, exact in ((name, 0), (typed, 1)):
            with urllib.request.urlopen("http://127.0.0.1:18765/v1/search?" + urllib.parse.urlencode({"q": query})) as answer:
                got = [item["url"] for item in json.load(answer)["items"]]
            want = [f"https://x.example/{i}/{j}" for j in (exact, 1 - exact) if (name, other)[j]]
            right = got[:len(want)] == want or typed != other.lower() and set(got[:2]) == set(want)
            print(script, query, "yes" if right else f"no: {got[:3]}", sep="\t")
finally:
    server.terminate()
