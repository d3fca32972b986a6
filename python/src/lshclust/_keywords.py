"""The settings of cluster(), for type checkers and editors. keywords.py makes this file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict


class Settings(TypedDict, total=False):
    """Settings, then options, in the order of ``lshclust cluster --help``."""

    preset: str | None
    """Start from the settings of the preset NAME: paper2000, paper2002, web (default web)."""

    views: str | Sequence[str] | None
    """VIEWS to build: topical, syntactic or both (default ['topical', 'syntactic'])."""

    bags: str | None
    """WHAT bags are made of: links (the words around the links to a page), content (all words of the page itself),
    or both (a field for each) (default both)."""

    base: str | None
    """URL of the top of a folder of HTML."""

    language: str | None
    """LANGUAGE of the stemmer and the stop words: auto (the language that each page seems to be in; neither for a
    page of unknown language), one of those below, or several with commas between them (the first for a page that
    shows none of them): afrikaans, albanian, arabic, armenian, asturian, azerbaijani, basque, belarusian, bengali,
    breton, bulgarian, catalan, chinese, croatian, czech, danish, dutch, english, esperanto, estonian, faroese,
    finnish, french, frisian, galician, georgian, german, greek, hebrew, hindi, hungarian, icelandic, indonesian,
    irish, italian, japanese, kazakh, korean, kyrgyz, latin, latvian, lithuanian, luxembourgish, macedonian,
    marathi, mongolian, nepali, norwegian, persian, polish, portuguese, romanian, russian, scottish-gaelic, serbian,
    slovak, slovenian, somali, sorbian, spanish, swahili, swedish, tagalog, tajik, tamil, tatar, thai, turkish,
    turkmen, ukrainian, urdu, uzbek, vietnamese, welsh (default auto)."""

    captures: str | None
    """WHICH captures of a URL to keep: newest (among equal times, the one in the later input), or all, each as a
    document named URL#time or URL#digest that no link points to (default newest)."""

    threshold: float | None
    """A member of a topical cluster has an exact similarity of at least S to its center (default 0.1)."""

    resemblance: float | None
    """A syntactic cluster links pages with an exact resemblance of at least R (default 0.5)."""

    map: str | Sequence[str] | None
    """Read a field from a column of a table or of JSON whose name is not recognised: FIELD=COLUMN, such as
    url=metadata.source; may be given several times."""

    clean_urls: bool | None
    """Guide.html in a folder is /guide where its canonical link, the sitemap or most links say so (default
    True)."""

    url_rules: str | Sequence[str] | None
    """Switch off RULES for canonical URLs, such as -www."""

    canonical: str | None
    """HOW to treat the canonical URL that a page names: record it, or trust it, which treats links to the page as
    links to that URL (default record)."""

    from_: str | None
    """Leave out captures before this TIME: 2020, 2020-05-17, 20200517120000."""

    to: str | None
    """Leave out captures after the end of this TIME."""

    status: str | Sequence[str] | None
    """Read only captures with one of these HTTP STATUSES (default 200)."""

    mime: str | Sequence[str] | None
    """Read only captures with one of these media TYPES (default all that can be read)."""

    max_page: int | str | None
    """Read at most SIZE of a page, and leave out the rest (default 16777216)."""

    window: int | None
    """The window has WORDS words on each side of a link (default 32)."""

    damping: str | None
    """HOW the weight of a word falls with its distance from the link: none or log (default log)."""

    border: float | None
    """Multiply the weight of words outside the block of the link by F: 1 ignores the border of the block, 0 cuts
    the window there (default 0.5)."""

    headings: int | None
    """Treat the nearest N headings above a link, each from a higher level, like its anchor (default 6)."""

    url_words: bool | None
    """Treat the words of a link's URL like its anchor (default True)."""

    title: bool | None
    """Use the title of a page: as part of its content or, if bags are made of links, like a link to the page
    (default True)."""

    content_terms: int | None
    """With bags=both, use at most N terms of the content of a page, the heaviest (default 60)."""

    nofollow: bool | None
    """Use links marked nofollow, ugc or sponsored too (default False)."""

    host_damping: str | None
    """HOW to weigh n pages of one host that link to a document: none (n), harmonic (1+1/2+…+1/n), once (1) (default
    harmonic)."""

    stem: bool | None
    """Reduce words to their stems (default True)."""

    stop: str | None
    """Leave out the stop words of LIST: snowball or none (default snowball)."""

    weighting: str | None
    """SCHEME that weighs a term by the number of bags that have it: idf, nmdf or none (default idf)."""

    tf: str | None
    """HOW to weigh the count of a term in a bag: raw or log (default raw)."""

    bag_sum: int | None
    """Scale the counts of each field of a bag to the sum N (default 100)."""

    min_df: int | None
    """Leave out terms in fewer than N bags (default 2)."""

    max_df: float | None
    """Leave out terms in more than this SHARE of the bags (default 1)."""

    signatures: int | None
    """Compute m min-hash signatures for each bag (default 80)."""

    key_size: int | None
    """Make a key of k signatures; 0: as keys=0 chooses (default 0)."""

    keys: int | None
    """Make l keys for each bag; 0: choose k, l and the largest bucket by a sample of the crawl (default 0)."""

    max_bucket: int | None
    """Pair all with all in buckets of at most N distinct bags; 0: as keys=0 chooses (default 0)."""

    reach: int | None
    """In larger buckets, pair each with the first and with the next N (default 0)."""

    floor: float | None
    """Let pairs of the index through that have a share of at least S equal signatures (default 0.05)."""

    min_similarity: float | None
    """Store pairs with an exact similarity of at least S (default 0.03)."""

    neighbours: int | None
    """Store a pair if it is among the N most similar of either document; 0: store all (default 25)."""

    apart: int | None
    """Also store the N most similar of those that no page links to together with the document (default 25)."""

    rounds: int | None
    """Compare each document with the neighbours of its neighbours, N times (default 1)."""

    width: int | None
    """In such a round, consider the N nearest neighbours of each of the N nearest (default 50)."""

    recall: float | None
    """Choose the index so that this SHARE of the ten nearest neighbours is stored (measured on a sample) (default
    0.95)."""

    order: str | None
    """ORDER in which CENTER scans the documents: id, degree or similarity (default degree)."""

    seed: int | None
    """SEED of all random choices (default 1)."""

    shingle: int | None
    """Make shingles of WORDS words, w (default 10)."""

    sketch: str | None
    """Keep of the shingles of a page a sketch of this KIND, with about 100 of them, from which resemblance and
    containment are estimated, for crawls whose shingles no disk would hold; without a kind all are kept, and pairs
    compared exactly: mod (one shingle in m), min (the 100 smallest), minmod (the 100 smallest of one in m), var (50
    to 100, one in 2^i by the size of the page); min and minmod estimate resemblance only, and imply strip=none."""

    modulus: int | None
    """Sample one shingle in m (default 25)."""

    index: bool | None
    """Build the index that lshclust query searches; without it, query compares every page, which takes a second for
    a million short ones, and building takes a tenth less (default True)."""

    index_modulus: int | None
    """Put one shingle in m of long pages into the index that lshclust query searches; 1: all shingles; 0: all if
    there are at most 33.5 million, else about that many (default 0)."""

    bits: int | None
    """Make fingerprints of shingles of BITS bits (default 40)."""

    labelled: bool | None
    """Number the occurrences of a shingle (option A of Broder 1997), so that repetitions matter (default False)."""

    punctuation: bool | None
    """Treat punctuation marks as words (default False)."""

    containment: float | None
    """Also store a pair with an exact containment of at least C (default 0.8)."""

    link_contained: float | None
    """A syntactic cluster also links pages if one contains at least a share C of the other; 0: never (default
    0)."""

    max_common: int | None
    """Pair the pages of a shingle that is in more than N pages in part, unless there are few such pairs (default
    1000)."""

    strip: str | None
    """Leave WHOSE boilerplate out of comparisons: host or none (default host)."""

    config: str | None
    """Read settings from a TOML FILE, with the names that they have in the manifest."""

    disk: int | str | None
    """Stop, as on a full disk, before the run directory has more than this SIZE (default no limit)."""

    memory: int | str | None
    """Keep to this much memory (default 1GiB)."""

    replace: bool | None
    """Replace a finished run of other inputs or settings when the new one is finished (default False)."""

    workers: int | None
    """Work in N goroutines (default one for each processor)."""
