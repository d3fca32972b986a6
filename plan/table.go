package plan

// costs are the coefficients of all stages, in their order. make calibrate has fitted them to 15 runs.
var costs = []stageCosts{
	{
		stage:  "read",
		cpu:    Terms{{Bytes, 9.66e-09}, {Links, 2.99e-06}, {Occurrences, 2.28e-07}},
		disk:   Terms{{Fixed, 1.55e+06}, {Bytes, 0.34}, {Links, 167}, {Occurrences, 12.1}},
		memory: Power{Links, 2.61e+06, 0.308},
	},
	{
		stage:  "redirect",
		cpu:    Terms{{Links, 8.52e-09}},
		disk:   Terms{{Fixed, 1.58e+06}, {Bytes, 0.337}, {Links, 166}, {Occurrences, 12.1}},
		memory: Power{Links, 2.28e+06, 0.178},
	},
	{
		stage:  "group",
		cpu:    Terms{{Occurrences, 1.46e-07}, {Documents, 3.45e-06}},
		disk:   Terms{{Fixed, 3.91e+05}, {Bytes, 0.452}, {Links, 430}, {Occurrences, 23.4}},
		memory: Power{Documents, 3.38e+06, 0.279},
	},
	{
		stage:  "weigh",
		cpu:    Terms{{Occurrences, 2.07e-07}},
		disk:   Terms{{Fixed, 5.65e+05}, {Bytes, 0.596}, {Occurrences, 26.2}, {Documents, 19.7}, {Nodes, 463}, {Postings, 0.889}},
		memory: Power{Occurrences, 1.83e+05, 0.368},
	},
	{
		stage:  "sign",
		cpu:    Terms{{Nodes, 2.18e-06}, {Postings, 2.46e-08}},
		disk:   Terms{{Fixed, 1.09e+06}, {Bytes, 0.586}, {Occurrences, 9.46}, {Documents, 335}, {Nodes, 315}, {Postings, 23.2}},
		memory: Power{Nodes, 1.78e+06, 0.234},
	},
	{
		stage:  "invert",
		cpu:    Terms{{Nodes, 7.93e-07}, {Postings, 4.29e-08}},
		disk:   Terms{{Fixed, 9.41e+05}, {Bytes, 0.585}, {Occurrences, 17.6}, {Documents, 195}, {Nodes, 508}, {Postings, 14.7}},
		memory: Power{Postings, 1.84e+05, 0.4},
	},
	{
		stage:  "pair",
		cpu:    Terms{{Collisions, 3.22e-07}, {Spread, 1.64e-07}},
		disk:   Terms{{Bytes, 0.34}, {Links, 360}, {Occurrences, 59}, {TopicalPairs, 6.85}, {Survivors, 16.2}},
		memory: Power{Survivors, 1.24e+06, 0.362},
	},
	{
		stage:  "cluster",
		cpu:    Terms{{Nodes, 3.72e-06}, {TopicalPairs, 2.78e-07}},
		disk:   Terms{{Fixed, 1.41e+06}, {Bytes, 0.514}, {Occurrences, 17.5}, {Documents, 99.7}, {Nodes, 631}, {Postings, 15.5}, {TopicalPairs, 17}},
		memory: Power{TopicalPairs, 2.35e+06, 0.334},
	},
	{
		stage:  "tree",
		cpu:    Terms{{TopicalPairs, 1.06e-06}},
		disk:   Terms{{Fixed, 1.29e+06}, {Bytes, 0.527}, {Occurrences, 18.1}, {Documents, 234}, {Nodes, 525}, {Postings, 14.4}, {TopicalPairs, 16.8}},
		memory: Power{TopicalPairs, 7.63e+05, 0.412},
	},
	{
		stage:  "shingle",
		cpu:    Terms{{Shingles, 1.38e-08}, {Pages, 2.56e-05}},
		disk:   Terms{{Fixed, 3.03e+05}, {Bytes, 1.29}, {Links, 136}, {Occurrences, 3.81}, {Documents, 280}, {Shingles, 0.262}, {Nodes, 258}, {Postings, 34.6}, {TopicalPairs, 17.4}},
		memory: Power{Shingles, 7.05e+06, 0.147},
	},
	{
		stage:  "index",
		cpu:    Terms{{Shingles, 1.32e-07}},
		disk:   Terms{{Bytes, 1.43}, {Links, 404}, {Shingles, 3.02}, {Nodes, 230}, {Postings, 40.9}, {TopicalPairs, 16.8}},
		memory: Power{Shingles, 3.86e+04, 0.547},
	},
	{
		stage:  "equal",
		cpu:    Terms{{Fixed, 0.186}, {Shingles, 9.16e-10}, {Pages, 8.77e-06}},
		disk:   Terms{{Fixed, 3.53e+05}, {Bytes, 1.34}, {Links, 146}, {Occurrences, 2.76}, {Documents, 277}, {Shingles, 3.45}, {Nodes, 245}, {Postings, 36.4}, {TopicalPairs, 17.1}},
		memory: Power{Shingles, 1.53e+07, 0.187},
	},
	{
		stage:  "resemble",
		cpu:    Terms{{Fixed, 0.0464}, {Samples, 4.67e-07}},
		disk:   Terms{{Fixed, 3.81e+05}, {Bytes, 1.35}, {Links, 156}, {Occurrences, 2.75}, {Documents, 266}, {Shingles, 3.34}, {Nodes, 244}, {Postings, 36.5}, {TopicalPairs, 17.1}},
		memory: Power{Shingles, 6.01e+07, 0.0898},
	},
	{
		stage:  "union",
		cpu:    Terms{{Pages, 3.28e-06}},
		disk:   Terms{{Fixed, 3.61e+05}, {Bytes, 1.34}, {Links, 151}, {Occurrences, 2.68}, {Documents, 271}, {Shingles, 3.42}, {Nodes, 244}, {Postings, 36.6}, {TopicalPairs, 17.1}},
		memory: Power{Shingles, 1.45e+08, 0.0262},
	},
	{
		stage:  "publish",
		cpu:    Terms{{Documents, 2.63e-06}, {TopicalPairs, 6.53e-07}},
		disk:   Terms{{Bytes, 1.47}, {Documents, 468}, {Shingles, 2.65}, {Nodes, 309}, {Postings, 41.4}, {TopicalPairs, 28.2}},
		memory: Power{Documents, 1.26e+08, 0.0474},
	},
}
