package payload

// scripts are the charsets that pages use without declaring them, the most usual first, and the letters of languages
// that are written in them by frequency in words with a letter outside ASCII.
var scripts = []struct {
	charsets  string
	prior     float64
	wide      bool
	languages []string
}{
	{"windows-1252", 3, false, []string{
		"éetisrncaoldumpèàfêgvbhqzîyûjüçkåïô", // fr
		"engtshrüliuäcfzadöwkbmoßvp",          // de
		"aenicsortdlóámgíúñpvubéxfqyzhkå",     // es
		"oeinsarãtçdálmcpvuõgéíúfêhbxóºqjâàz", // pt
		"iseanctrldouàóméèpvígxïbçúòfqühjkåz", // ca
		"eiaonrtlsdùcàèpumvìòghfbzéq",         // it
		"ertgëïnéidlopaöüvsè",                 // nl
		"rnäeltsdaögfåivokmhbjpuyxwc",         // sv
		"erænvdåisgltømkfpojahbuéy",           // da
		"ätiesynlkmphvörojaudgbšåf",           // fi
		"aðrilstnekuígmþávóúoföyjdbæphéýx",    // is
	}},
	{"windows-1250 iso-8859-2", 0, false, []string{
		"aioewnsztrkyłpcżędąśćulmójhgbńfź",        // pl
		"neotaílpvsmárdkiužězyécbčšřýjhůúfgňďó",   // cs
		"naoetisrvápdkmluyízžcbčťéýšhújľófňgôďäx", // sk
		"etlsázaérknimovójdbgöőhíyupfüúcű",        // hu
		"eiaonršktsčjvužpdlćmzgđhbc",              // hr
		"aiečnoštrvlpksmujžzbgdhcf",               // sl
		"iaăenrtcuţosldpmgşîzvâfbhxk",             // ro
	}},
	{"windows-1251 koi8-r iso-8859-5 ibm866", 0, false, []string{
		"еоаитнслврдпмкьуыйбзячжгцшюфэхщъё", // ru
		"аеитонрсвлдпкмзбъяучгйцжшфщхюμ",    // bg
		"аиеонтрсдквлпмзјбугшцчжфњќхѓѓџљѕ",  // mk
	}},
	{"windows-1251 koi8-u iso-8859-5", 0, false, []string{
		"аонеитіврслкдмупьязбйгчцжєшхщфюї",  // uk
		"аніелыскряпдтцьзмвоубэўчгшйхюжёфґ", // be
	}},
	{"windows-1253 iso-8859-7", 0, false, []string{
		"αετιονρσμπκηλίυςέάδγήόχθωύφβώξζψo", // el
	}},
	{"windows-1254", 0, false, []string{
		"ieanlırdtçüskmğşyuozbgöcpfhv\u0307", // tr
	}},
	{"windows-1255", 0, false, []string{
		"יותהלארשמנבחסדםקעפכןטגזצךףץ", // he
	}},
	{"windows-1256 iso-8859-6", 0, false, []string{
		"اليمترنوةدحأعبقسكفهجخصإذىطغثئضزشءآظـؤةًّ", // ar
		"ایردنتهموبسشلکفزخعقحگجطصذپژآغچضثئءظأ",     // fa
	}},
	{"windows-1257", 0, false, []string{
		"iatsenkrųlošumdpžėjįąvūbgčyęczf",  // lt
		"atiseārīnmuēdojlvkpzšbgūcņļfžķģč", // lv
		"aäestivlõnurkdmühpjgoböžšf",       // et
	}},
	{"windows-1258", -2, false, []string{
		"nha\u0301t\u0323icg\u0309\u0300ưêđuôoâơmy\u0303klpbăsrvdxeq", // vi
	}},
	{"windows-874", 0, false, []string{
		"านอกเรมลงหยดทสวบคไตปใจแะชผขพถำณซโธฟญภศฤษฮฎฝฐๆ", // th
	}},
	{"shift_jis euc-jp", 0, true, []string{
		"ーしのまをントすはでスいてさルドたれなにクイがくりリッるんせア語だパフジワタかこあブテ数ラレ入力選択メプィグと変ェけらセペ字き値よデ更オシュ正用も除効ロキマ削サ認コう以ば文ザムっ時間ァウ定ユ存ビダ使理つ下日エ追加ニ合必要個可関連有名ョ無モ確保そ能カ整小設め一番管作在バベ分前ど場度", // ja
	}},
	{"gbk", 0, true, []string{
		"的个有一是字用码语选密不数在你对入除该输以可请删象值确能了日或效符文您点模存保置择所面加中下这器重改过为到站没型修页户时被尔亚期包成要应已含于名使如查方表何误它段件行格类提据错作和关认前间果新未必正项看次板无法分库号地列将其串多功需设进相权管理滤档系尼证址变问头此式定单空须两", // zh_Hans
	}},
	{"big5", 0, true, []string{
		"的語個碼是選用請密入有不件字輸數確或值一除時在已為可這新能位間你存日效修刪改亞重要期認型定面文物模被關包含名空作使成內小過前於正類未設器多取以項欄爾表稱頁對沒資行擇到理您無誤尼大全網號相本必中功下證如動法格式容列保進電否此站求出編須上管其按者了分主與拉斯西子地址目串線來將次單但何訊應點增後輯更戶視所", // zh_Hant
	}},
	{"euc-kr", 0, true, []string{
		"다이니하습어를지가시을자요번비입세수의는해호에아리합밀스한로기사인제력용없은선트값택일되정서있않주필터할대보관개바페확된삭나드문오야르경간브고크올모른형식플유도전들화었션메체만장그성변라여날짜위우저으템계마상설효함파소려적열타음거재연토키와면러중데당신추초릿존닙알포네록숫능래태표과목베반새부또결최작", // ko
	}},
}
