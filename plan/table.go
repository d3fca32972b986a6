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
		disk:   Terms{{Fixed, 1.41e+06}, {Bytes, 0.514}, {Occurrences, 17.5}, {Documents, 99.6}, {Nodes, 631}, {Postings, 15.5}, {TopicalPairs, 17}},
		memory: Power{TopicalPairs, 2.35e+06, 0.334},
	},
	{
		stage:  "tree",
		cpu:    Terms{{TopicalPairs, 1.03e-06}},
		disk:   Terms{{Fixed, 1.29e+06}, {Bytes, 0.534}, {Occurrences, 15.9}, {Documents, 280}, {Nodes, 467}, {Postings, 17.3}, {TopicalPairs, 17}},
		memory: Power{TopicalPairs, 9.32e+05, 0.396},
	},
	{
		stage:  "shingle",
		cpu:    Terms{{Shingles, 2e-08}, {Pages, 1.86e-05}},
		disk:   Terms{{Fixed, 5.32e+05}, {Bytes, 1.27}, {Links, 145}, {Documents, 273}, {Shingles, 0.234}, {Nodes, 243}, {Postings, 39.7}, {TopicalPairs, 17.2}},
		memory: Power{Shingles, 5.13e+07, 0},
	},
	{
		stage:  "index",
		cpu:    Terms{{Shingles, 1.26e-07}},
		disk:   Terms{{Bytes, 1.44}, {Links, 404}, {Shingles, 2.94}, {Nodes, 233}, {Postings, 40.6}, {TopicalPairs, 16.8}},
		memory: Power{Shingles, 6.49e+04, 0.509},
	},
	{
		stage:  "equal",
		cpu:    Terms{{Fixed, 0.186}, {Pages, 1e-05}},
		disk:   Terms{{Fixed, 5.11e+05}, {Bytes, 1.33}, {Links, 129}, {Documents, 298}, {Shingles, 3.4}, {Nodes, 234}, {Postings, 40}, {TopicalPairs, 17}},
		memory: Power{Shingles, 2.25e+07, 0.159},
	},
	{
		stage:  "resemble",
		cpu:    Terms{{Fixed, 0.0414}, {Samples, 5.35e-07}},
		disk:   Terms{{Fixed, 5.38e+05}, {Bytes, 1.34}, {Links, 139}, {Documents, 287}, {Shingles, 3.3}, {Nodes, 233}, {Postings, 40}, {TopicalPairs, 17}},
		memory: Power{Shingles, 1.35e+08, 0.0308},
	},
	{
		stage:  "union",
		cpu:    Terms{{Pages, 2.9e-06}},
		disk:   Terms{{Fixed, 5.14e+05}, {Bytes, 1.34}, {Links, 133}, {Documents, 294}, {Shingles, 3.38}, {Nodes, 234}, {Postings, 40}, {TopicalPairs, 17}},
		memory: Power{Shingles, 1.81e+08, 0.00975},
	},
	{
		stage:  "publish",
		cpu:    Terms{{Documents, 2.64e-06}, {TopicalPairs, 6.29e-07}},
		disk:   Terms{{Bytes, 1.48}, {Documents, 468}, {Shingles, 2.58}, {Nodes, 312}, {Postings, 41.2}, {TopicalPairs, 28.2}},
		memory: Power{Documents, 1.32e+08, 0.0418},
	},
}
