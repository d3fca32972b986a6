# Turns the rows of lab evaluate for several runs into Markdown tables, one for each gold. A cell
# shows the mean over the runs, the standard deviation over them, and the mean of the intervals over lists.

# short returns a figure as docs/quality.md prints it: .675.
function short(x) {
	if (x == "") return ""
	x = sprintf("%.3f", x)
	sub(/^0/, "", x)
	return x
}

function cell(gold, part, colinked, figure,    k, s) {
	k = gold SUBSEP part SUBSEP colinked SUBSEP figure
	s = short(value[k])
	if (s != "" && sd[k] != "") s = s " ±" short(sd[k])
	if (s != "" && low[k] != "") s = s " [" short(low[k]) " " short(high[k]) "]"
	return s
}

function row(gold, part, name,    s, c, i) {
	s = "| " name " |"
	for (c = 1; c <= 2; c++) {
		for (i = 1; i <= 4; i++) s = s " " cell(gold, part, kinds[c], figures[i]) " |"
	}
	print s
}

BEGIN {
	split("kept excluded", kinds, " ")
	split("coverage same_category_1 same_category_2 same_category_3", figures, " ")
	n = split("related|baseline stored|baseline exact", parts, "|")
	split("`related`|`stored`|`exact`", names, "|")
	several = split(seeds, all, " ") > 1
}

$1 == "gold" && $2 == "half" { next }

{
	if (!($1 in seen)) {
		seen[$1] = 1
		golds[++count] = $1
	}
	k = $1 SUBSEP $3 SUBSEP $4 SUBSEP $5
	if ($6 == "") next
	if (!runs[k]++) { least[k] = $6; greatest[k] = $6 }
	sum[k] += $6; squares[k] += $6 * $6
	if ($6 < least[k]) least[k] = $6
	if ($6 > greatest[k]) greatest[k] = $6
	if ($10 != "") { bounded[k]++; lows[k] += $10; highs[k] += $11 }
}

END {
	for (k in runs) {
		value[k] = sum[k] / runs[k]
		if (runs[k] > 1) {
			variance = (squares[k] - runs[k] * value[k] * value[k]) / (runs[k] - 1)
			sd[k] = variance > 0 ? sqrt(variance) : 0
			range[k] = short(least[k]) " to " short(greatest[k])
		}
		if (bounded[k]) { low[k] = lows[k] / bounded[k]; high[k] = highs[k] / bounded[k] }
	}
	if (several) print "Means over the seeds " seeds ", ± the standard deviation over them, with the mean of the 95 % intervals over lists.\n"
	for (g = 1; g <= count; g++) {
		print "`" golds[g] "`:\n"
		print "| | coverage | same category: level 1 | level 2 | level 3 | no page links to both: coverage | level 1 | level 2 | level 3 |"
		print "| --- | --- | --- | --- | --- | --- | --- | --- | --- |"
		for (i = 1; i <= n; i++) row(golds[g], parts[i], names[i])
		s = "| chance |"
		for (c = 1; c <= 2; c++) {
			s = s " |"
			for (l = 1; l <= 3; l++) s = s " " short(value[golds[g] SUBSEP "related" SUBSEP kinds[c] SUBSEP "chance_" l]) " |"
		}
		print s "\n"
	}
	if (several) {
		print "Least and greatest figure of a seed, in the same columns:\n"
		print "| gold | | coverage | level 1 | level 2 | level 3 | apart: coverage | level 1 | level 2 | level 3 |"
		print "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |"
		for (g = 1; g <= count; g++) for (i = 1; i <= n; i++) {
			s = "| `" golds[g] "` | " names[i] " |"
			for (c = 1; c <= 2; c++) for (f = 1; f <= 4; f++) s = s " " range[golds[g] SUBSEP parts[i] SUBSEP kinds[c] SUBSEP figures[f]] " |"
			print s
		}
		print ""
	}
	print "B-cubed F of the clusters:\n"
	print "| gold | level 1 | level 2 | level 3 |"
	print "| --- | --- | --- | --- |"
	for (g = 1; g <= count; g++) {
		s = "| `" golds[g] "` |"
		for (l = 1; l <= 3; l++) s = s " " cell(golds[g], "clusters", "kept", "bcubed_f_" l) " |"
		print s
	}
}
