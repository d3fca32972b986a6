package text

import (
	"strings"
	"testing"
)

func TestNotice(t *testing.T) {
	p := auto(t)
	for _, test := range []struct {
		html string
		want Notice
	}{
		{"<title>News</title>The river is high.", NoNotice},
		{"<title>404 Not Found</title>", NotFound},
		{"<title>Oops</title>The page you&rsquo;re after: Page doesn’t exist", NotFound},
		{"<title>Error</title>ERROR 404", NotFound},
		{"<title>App</title>You need to enable JavaScript to run this app.", NeedsJavaScript},
		{"<title>App</title>Включите JavaScript", NeedsJavaScript},
		{"<title>Shop</title>Before you continue to the shop", AsksConsent},
		{"<title>Enable JavaScript, accept cookies</title>", NeedsJavaScript}, // the first in the order of the notices
		{"<title>Lamp</title><h1>Oak lamp</h1><p>A small reading lamp made of oak and brass, with a linen shade, made by hand.<p>We use cookies to improve your visit. Accept", NoNotice},
		{"<title>Lamp</title><p>We use cookies to improve your visit to this shop. Accept<p>Home<p>Contact", AsksConsent},
		{"<title>Note</title><h1>How to fix error 404 in a shop</h1><p>When a link is broken the server answers with error 404; make a redirect and test it.", NoNotice},
		{"<title>Shop</title><h1>Our spring sale begins on Monday at nine</h1><p>Some pages require that you turn on JavaScript and reload them to see all prices in your currency", NoNotice},
		{"<title>Page not found | Shop</title>Home Contact", NotFound},
		{"<title>Shop</title>Home<p>Sorry, the page you are looking for could not be found.<p>Contact", NotFound},
		{"<title>x</title><h1>404</h1><p>抱歉，您访问的页面不存在。", NotFound},
		{"<title>x</title><p>De pagina die u zoekt bestaat niet.", NotFound},
		{"<title>x</title><p>このアプリを使用するには JavaScript を有効にしてください。", NeedsJavaScript},
		{"<title>x</title><p>الصفحة غير موجودة", NotFound},
		{"<title>x</title><p>Для работы сайта необходимо включить JavaScript.", NeedsJavaScript},
		{"<title>App</title><noscript>You need to <b>enable</b> JavaScript to run this app.</noscript><div id=root></div>", NeedsJavaScript},
		{"<title>App</title><noscript><img src=//count.example/1></noscript>", NoNotice},
		{"<title>Lamp</title><noscript>Please enable JavaScript</noscript><p>A small reading lamp made of oak and brass, with a linen shade", NoNotice},
		{"<title>Page not found</title>" + strings.Repeat("word ", noticeWords), NotFound},
		{"<title>Page not found</title>" + strings.Repeat("word ", noticeWords+1), NoNotice},
	} {
		if got := p.HTML([]byte(test.html)).Notice(); got != test.want {
			t.Errorf("%.80s: notice %d, want %d", test.html, got, test.want)
		}
	}
}
