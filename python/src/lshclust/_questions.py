"""Questions and the columns of their answers, made by go test ./cmd/lshclust -run Python -update."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Literal

from ._ask import Asker, flags

if TYPE_CHECKING:
    import pyarrow


class Questions(Asker):
    """The questions of lshclust.Run."""

    #: The columns of each kind of rows: s is a text, l a list of texts, f and i are numbers, b is true or false, q is
    #: a sentence with a link.
    columns = {
        "related": "of:s url:s name:s seen_url:s similarity:f link_similarity:f content_similarity:f cosine:f "
        "shared_neighbours:f relatedness:f from_links:f shared:l found:s together:i mirrors:l",
        "words": "query:s url:s name:s seen_url:s score:f matched:l in_title:l cluster_id:s cluster_label:s "
        "best:b called:s quote:q",
        "duplicates": "of:s url:s name:s seen_url:s relation:s resemblance:f this_in_other:f other_in_this:f "
        "estimate:f samples:i estimated:b std_error:f page_label:s",
        "query": "of:s host:s url:s name:s seen_url:s relation:s resemblance:f this_in_other:f other_in_this:f "
        "samples:i std_error:f time:s last_time:s copies:i host_pages:i shared:i page_label:s",
        "clusters": "id:s view:s size:i url:s name:s seen_url:s label:s crawled:i hosts:i host:s on_host:i "
        "distinct:i chained:i pairs:i lowest_pair:f diameter:i diameter_most:i center:s",
        "members": "id:s size:i label:s path:s labels:s url:s name:s seen_url:s similarity:f crawled:b inlinks:i "
        "inlink_hosts:i anchors:l",
    }

    def related(
        self,
        url: str | Iterable[str],
        limit: int | None = None,
        *,
        apart: bool = False,
        by: Literal["links", "content", "both"] | None = None,
        elsewhere: bool = False,
        exact: bool = False,
    ) -> pyarrow.Table:
        """What is related to a page.

        Args:
            url: URL of the document, in any form; or several.
            limit: list at most this many rows.
            apart: leave out documents that some page links to together with the URL.
            by: compare the words around the links to pages, their own words, or both; all but both compares with all
                documents.
            elsewhere: leave out documents on the host of the URL.
            exact: compare with the bags of all documents, so that none is missed.

        Raises:
            Failed: the run lacks a URL. ``answer`` has the rows of the others.
        """
        given = flags(
            limit=limit,
            apart=apart,
            by=by,
            elsewhere=elsewhere,
            exact=exact,
        )
        return self._about("related", url, given, "related")

    def search(
        self,
        words: str,
        limit: int | None = None,
    ) -> pyarrow.Table:
        """Which pages some words name.

        Args:
            words: words, or a URL.
            limit: list at most this many rows.
        """
        given = flags(
            limit=limit,
        )
        return self._rows("related", [f"--words={words}", *given], "words")

    def duplicates(
        self,
        url: str | Iterable[str],
        *,
        min: float | None = None,
    ) -> pyarrow.Table:
        """Who has the same text.

        Args:
            url: URL of the page, in any form; or several.
            min: list pages with at least this resemblance or containment, either way.

        Raises:
            Failed: the run lacks a URL. ``answer`` has the rows of the others.
        """
        given = flags(
            min=min,
        )
        return self._about("duplicates", url, given, "duplicates")

    def query(
        self,
        document: str | os.PathLike[str] | None = None,
        *,
        text: str | bytes | None = None,
        by: Literal["page", "host"] | None = None,
        min: float | None = None,
        limit: int | None = None,
        words: int | None = None,
        pages: int | None = None,
    ) -> pyarrow.Table:
        """Who has the text of a document, which need not be in the run.

        Args:
            document: a file of HTML or text, or the URL of a page of the run.
            text: HTML or text, instead of document.
            by: list pages, or hosts with their pages; by host, copies on one host are counted and not listed.
            min: list pages with a resemblance or a containment, either way, of at least this.
            limit: list at most this many pages or hosts.
            words: by host, also list pages with this many words of the text in a row.
            pages: by host, list at most this many pages of a host.
        """
        given = flags(
            by=by,
            min=min,
            limit=limit,
            words=words,
            pages=pages,
        )
        return self._query(document, text, given)

    def explain(
        self,
        a: str,
        b: str,
        *,
        terms: int | None = None,
        texts: bool = False,
    ) -> dict[str, Any]:
        """Why two pages are related, or why not, and what their texts share.

        Args:
            a: URL of a document, in any form.
            b: URL of another document.
            terms: list at most this many terms.
            texts: compare the texts of the pages line by line, read again from the inputs of the run.
        """
        given = flags(
            terms=terms,
            texts=texts,
        )
        return self._explain(a, b, given)

    def clusters(
        self,
        view: Literal["topical", "syntactic"] | None = None,
        *,
        sort: Literal["size", "label", "hosts"] | None = None,
        reverse: bool = False,
        label: str | None = None,
        limit: int | None = None,
        threshold: float | None = None,
        order: Literal["id", "degree", "similarity"] | None = None,
        method: Literal["pairs", "super-shingles", "greedy"] | None = None,
        resemblance: float | None = None,
        link_contained: float | None = None,
        contains: str | None = None,
    ) -> pyarrow.Table:
        """Which clusters the run has.

        Args:
            view: view that the clusters are of.
            sort: order of topical clusters: the largest first, by label, or those of many hosts first.
            reverse: reverse the order.
            label: list only topical clusters whose label has all of these words.
            limit: list at most this many rows.
            threshold: cluster again: a member has an exact similarity of at least this to its center.
            order: cluster again: order in which CENTER scans the documents.
            method: cluster again: method of finding and joining similar pages.
            resemblance: cluster again: link two pages with an exact resemblance of at least this.
            link_contained: cluster again: also link two pages if one contains at least this share of the other; 0:
                never.
            contains: the cluster of this URL, with a row for each member.
        """
        given = flags(
            view=view,
            sort=sort,
            reverse=reverse,
            label=label,
            limit=limit,
            threshold=threshold,
            order=order,
            method=method,
            resemblance=resemblance,
            link_contained=link_contained,
            contains=contains,
        )
        return self._rows("clusters", given, "clusters" if contains is None else "members")
