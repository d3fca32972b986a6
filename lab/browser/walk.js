// What a browser made of a page, as one value. Page scripts do not run, and names that a page gives to its elements
// (<input name=title>) must not get in the way: members are taken from the prototypes.
(() => {
  const getter = (proto, name) => {
    const get = Object.getOwnPropertyDescriptor(proto, name).get;
    return (o) => get.call(o);
  };
  const child = getter(Node.prototype, "firstChild"), next = getter(Node.prototype, "nextSibling");
  const nodeType = getter(Node.prototype, "nodeType"), parent = getter(Node.prototype, "parentElement");
  const local = getter(Element.prototype, "localName"), namespace = getter(Element.prototype, "namespaceURI");
  const attr = (el, name) => Element.prototype.getAttribute.call(el, name);
  const has = (el, name) => Element.prototype.hasAttribute.call(el, name);
  const root = getter(Document.prototype, "documentElement")(document);
  const html = "http://www.w3.org/1999/xhtml";

  // Of kind "t" text, "|" edge of an element that ends a line, "e" of one that does not, "(" and ")" of a link.
  const out = [];
  const links = [];

  // unseen tells why an element and all that is in it is not on the screen; "" if it is.
  const unseen = (el, name, style) => {
    if (["video", "audio", "canvas", "datalist", "rp", "progress", "meter"].includes(name)) return name;
    if (has(el, "hidden") && attr(el, "hidden").toLowerCase() != "until-found" && name != "body") return "hidden attribute";
    if (name == "dialog" && !has(el, "open")) return "closed dialog";
    if (/display:\s*none/i.test(attr(el, "style") || "")) return "hidden by its style";
    if (/visibility:\s*(hidden|collapse)/i.test(attr(el, "style") || "")) return "hidden by its style";
    if (style.display == "none") return "display: none";
    return "";
  };
  const closed = (el, child) => local(el) == "details" && !has(el, "open") && child != "summary" ? "closed details" : "";
  const visible = (node) => {
    const el = nodeType(node) == 1 ? node : parent(node);
    return el && Element.prototype.checkVisibility.call(el);
  };

  const drawn = (el) => namespace(el) == html || local(el) == "text" || parent(el) && local(el) != "svg" && drawn(parent(el));
  const walk = (node, why, svg) => {
    for (let n = child(node); n; n = next(n)) {
      if (nodeType(n) == 3) {
        let w = why || closed(node, "");
        if (!w && svg && !drawn(node)) w = "no box";
        if (!w && getComputedStyle(parent(n)).visibility != "visible") w = "visibility: hidden";
        out.push({ kind: "t", text: n.data, why: w, svg: svg });
      } else if (nodeType(n) == 1) element(n, why, svg);
    }
  };

  const element = (el, why, svg) => {
    const name = local(el), style = getComputedStyle(el), isHTML = namespace(el) == html;
    let w = why;
    if (isHTML && ["script", "style", "noscript", "iframe", "noembed", "noframes", "title", "textarea"].includes(name)) w = name;
    if (!w && isHTML) w = unseen(el, name, style);
    if (!w && !isHTML && (style.display == "none" || !visible(el))) w = "no box";
    if (!w && parent(el)) w = closed(parent(el), name);
    svg ||= !isHTML && name == "svg";
    const inline = /^(inline|inline-block|inline-flex|inline-grid|contents|ruby|ruby-text|none)$/.test(style.display) || !isHTML;
    const kind = name == "br" ? "|" : inline ? "e" : "|";
    out.push({ kind: kind, text: name, why: style.display });
    const drawnHref = !isHTML && svg && name == "a" ? ["href", "xlink:href"].find((a) => has(el, a)) : "";
    const isLink = drawnHref || isHTML && (name == "a" || name == "area") && has(el, "href");
    if (isLink) {
      out.push({ kind: "(" });
      const href = attr(el, drawnHref || "href");
      links.push({ href: href, url: drawnHref ? (URL.parse(href, document.baseURI) ?? { href }).href : el.href, rel: attr(el, "rel") || "" });
    }
    const alt = isHTML && (name == "img" || name == "area" && isLink) && attr(el, "alt");
    if (alt) out.push({ kind: "t", text: alt, why: "alt", svg: svg });
    walk(el, w, svg);
    if (isLink) out.push({ kind: ")" });
    out.push({ kind: kind, text: name, why: style.display });
  };

  element(root, "", false);
  const bases = Array.from(document.querySelectorAll("base[href]")).filter((b) => namespace(b) == html).map((b) => attr(b, "href"));
  return {
    runs: out, links: links, inner: getter(HTMLElement.prototype, "innerText")(root),
    title: getter(Document.prototype, "title")(document), base: bases.length ? bases[0] : "", baseURI: getter(Node.prototype, "baseURI")(document),
    charset: getter(Document.prototype, "characterSet")(document), url: location.href,
    refresh: !!document.querySelector("meta[http-equiv=refresh i]"), lang: attr(root, "lang") || "", quirks: getter(Document.prototype, "compatMode")(document) != "CSS1Compat",
  };
})()
