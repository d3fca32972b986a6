package payload

import (
	"strings"
	"testing"

	"golang.org/x/net/html/charset"
)

// A text in a charset that its language used on the web is guessed, in whole and cut anywhere in the middle of a word or
// a character.
func TestGuess(t *testing.T) {
	for text, charsets := range map[string]string{
		"Смотритель маяка каждый вечер пишет в журнал о ветре, кораблях и погоде.":                     "windows-1251 koi8-r iso-8859-5 ibm866",
		"СМОТРИТЕЛЬ МАЯКА КАЖДЫЙ ВЕЧЕР ПИШЕТ В ЖУРНАЛ":                                                 "windows-1251",
		"Доглядач маяка щовечора пише в журнал про вітер, кораблі й погоду.":                           "windows-1251 koi8-u",
		"Strażnik latarni co wieczór zapisuje w dzienniku wiatr, statki i pogodę na jutrzejszy dzień.": "windows-1250 iso-8859-2",
		"Strážce majáku každý večer zapisuje do deníku vítr, lodě a počasí příštího dne.":              "windows-1250 iso-8859-2",
		"A világítótorony őre minden este feljegyzi a naplóba a szelet, a hajókat és az időt.":         "windows-1250 iso-8859-2",
		"Ο φύλακας του φάρου γράφει κάθε βράδυ στο ημερολόγιο για τον άνεμο.":                          "windows-1253 iso-8859-7",
		"Deniz feneri bekçisi her akşam günlüğe rüzgârı, gemileri ve yarınki havayı yazıyor.":          "windows-1254",
		"שומר המגדלור כותב כל ערב ביומן על הרוח והאוניות":                                              "windows-1255",
		"يكتب حارس المنارة كل مساء في السجل عن الريح والسفن":                                           "windows-1256 iso-8859-6",
		"Švyturio prižiūrėtojas kiekvieną vakarą žurnale aprašo vėją, laivus ir orą.":                  "windows-1257",
		"ผู้ดูแลประภาคารเขียนบันทึกเกี่ยวกับลมและเรือทุกเย็น":                                          "windows-874",
		"灯台守は毎晩、日誌に風と船と明日の天気のことを書いています。":                                                               "shift_jis euc-jp iso-2022-jp",
		"守塔人每天晚上都在日志里写下风、船和明天的天气。":                                                                     "gbk",
		"守塔人每天晚上都在日誌裡寫下風、船和明天的天氣。":                                                                     "big5",
		"등대지기는 매일 저녁 일지에 바람과 배와 내일의 날씨를 적는다.":                                                          "euc-kr",
		"Der Wärter schreibt täglich über Stürme, Schiffe und das Wetter für den nächsten Tag.":        "windows-1252",
		"Le gardien écrit chaque soir à propos du vent, des navires et de la météo à venir.":           "windows-1252",
	} {
		for _, name := range strings.Fields(charsets) {
			enc, _ := charset.Lookup(name)
			b, err := enc.NewEncoder().Bytes([]byte(text))
			if err != nil {
				t.Errorf("%s in %s: %v", text, name, err)
				continue
			}
			page := "<html><title>A page</title><script>var words = 'of markup'</script><p>" + string(b) + "</p>"
			if got, by, guessed := ToUTF8([]byte(page), "text/html"); !strings.Contains(string(got), text) || !guessed {
				t.Errorf("%s in %s is guessed as %s: %s", text, name, by, got)
			}
			for cut := range min(len(b), 3) {
				if enc, by := guess(b[cut:]); enc == nil {
					t.Errorf("%s in %s without %d bytes is guessed as %s", text, name, cut, by)
				}
			}
		}
	}
}

func TestNotText(t *testing.T) {
	for in, want := range map[string]string{
		"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR": "image/png", "%PDF-1.4\n%\xe2\xe3": "application/pdf", "PK\x03\x04\x14\x00": "application/zip",
		"\x1a\x45\xdf\xa3\x01\x00": "video/webm", "wOF2\x00\x01": "font/woff2", "\x7fELF\x02\x01\x01\x00": "binary data",
		"BMW and GIF89a are names": "", "just text": "", " \n<p>\x00\x01\x02": "", "\xff\xfea\x00b\x00": "", "a\x00b\x00c\x00d\x00": "",
		"\x01\x02\x03<!DOCTYPE html><html>": "", "\xcf\xf0\xe8\xe2\xe5\xf2": "", "": "",
	} {
		if got := NotText([]byte(in)); got != want {
			t.Errorf("%q is %q, want %q", in, got, want)
		}
	}
}
