package plan

// costs are the coefficients of all stages, in their order. make calibrate has fitted them to 13 runs.
var costs = []stageCosts{
	{
		stage:  "read",
		cpu:    Terms{{Bytes, 9.42e-09}, {Links, 2.94e-06}, {Occurrences, 2.29e-07}},
		disk:   Terms{{Fixed, 1.62e+06}, {Bytes, 0.331}, {Links, 163}, {Occurrences, 12.3}},
		memory: Power{Links, 3.09e+07, 0.0813},
	},
	{
		stage:  "redirect",
		cpu:    Terms{{Links, 2.15e-08}},
		disk:   Terms{{Fixed, 1.65e+06}, {Bytes, 0.328}, {Links, 162}, {Occurrences, 12.3}},
		memory: Power{Links, 5.71e+06, 0.108},
	},
	{
		stage:  "group",
		cpu:    Terms{{Occurrences, 1.46e-07}, {Documents, 3.17e-06}},
		disk:   Terms{{Fixed, 8.18e+05}, {Bytes, 0.403}, {Links, 30.4}, {Occurrences, 23.2}, {Documents, 433}},
		memory: Power{Documents, 3.2e+06, 0.284},
	},
	{
		stage:  "weigh",
		cpu:    Terms{{Occurrences, 1.99e-07}},
		disk:   Terms{{Fixed, 5.32e+05}, {Bytes, 0.598}, {Occurrences, 26.9}, {Documents, 11.2}, {Nodes, 474}},
		memory: Power{Occurrences, 1.81e+04, 0.536},
	},
	{
		stage:  "sign",
		cpu:    Terms{{Nodes, 2.28e-06}, {Postings, 1.72e-08}},
		disk:   Terms{{Fixed, 1.18e+06}, {Bytes, 0.583}, {Occurrences, 6.29}, {Documents, 390}, {Nodes, 244}, {Postings, 27.6}},
		memory: Power{Nodes, 3.23e+06, 0.176},
	},
	{
		stage:  "invert",
		cpu:    Terms{{Nodes, 7.5e-07}, {Postings, 4.6e-08}},
		disk:   Terms{{Fixed, 1.12e+06}, {Bytes, 0.579}, {Occurrences, 11.1}, {Documents, 309}, {Nodes, 359}, {Postings, 23.8}},
		memory: Power{Postings, 7.42e+04, 0.467},
	},
	{
		stage:  "pair",
		cpu:    Terms{{Collisions, 3.23e-07}, {Spread, 1.57e-07}},
		disk:   Terms{{Bytes, 0.42}, {Links, 401}, {Occurrences, 53.4}, {TopicalPairs, 12.1}, {Survivors, 15.1}},
		memory: Power{Survivors, 1.71e+06, 0.338},
	},
	{
		stage:  "cluster",
		cpu:    Terms{{Nodes, 3.81e-06}, {TopicalPairs, 2.58e-07}},
		disk:   Terms{{Fixed, 1.4e+06}, {Bytes, 0.523}, {Occurrences, 15.2}, {Documents, 148}, {Nodes, 570}, {Postings, 18.5}, {TopicalPairs, 17.1}},
		memory: Power{TopicalPairs, 1.43e+06, 0.373},
	},
	{
		stage:  "tree",
		cpu:    Terms{{TopicalPairs, 1.03e-06}},
		disk:   Terms{{Fixed, 1.29e+06}, {Bytes, 0.534}, {Occurrences, 15.9}, {Documents, 280}, {Nodes, 467}, {Postings, 17.3}, {TopicalPairs, 17}},
		memory: Power{TopicalPairs, 9.32e+05, 0.396},
	},
	{
		stage:  "shingle",
		cpu:    Terms{{Shingles, 2.68e-08}, {Pages, 1.07e-05}},
		disk:   Terms{{Fixed, 6.12e+05}, {Bytes, 1.23}, {Occurrences, 1.49}, {Documents, 432}, {Shingles, 0.476}, {Nodes, 248}, {Postings, 37.7}, {TopicalPairs, 17.1}},
		memory: Power{Shingles, 5.03e+07, 0},
	},
	{
		stage:  "index",
		cpu:    Terms{{Shingles, 1.18e-07}},
		disk:   Terms{{Bytes, 1.27}, {Documents, 440}, {Shingles, 4.19}, {Nodes, 247}, {Postings, 40.4}, {TopicalPairs, 16.7}, {SyntacticPairs, 9.89e+03}},
		memory: Power{Shingles, 4.86e+07, 0.0345},
	},
	{
		stage:  "equal",
		cpu:    Terms{{Fixed, 0.126}, {Shingles, 1.09e-08}, {Pages, 3.6e-05}},
		disk:   Terms{{Fixed, 6.04e+05}, {Bytes, 1.27}, {Documents, 439}, {Shingles, 3.82}, {Nodes, 237}, {Postings, 40}, {TopicalPairs, 16.9}, {SyntacticPairs, 2.26e+03}},
		memory: Power{Shingles, 5.16e+07, 0.0966},
	},
	{
		stage:  "resemble",
		cpu:    Terms{{Fixed, 0.033}, {Samples, 6.27e-07}},
		disk:   Terms{{Fixed, 6.1e+05}, {Bytes, 1.27}, {Documents, 439}, {Shingles, 3.76}, {Nodes, 237}, {Postings, 40}, {TopicalPairs, 16.9}, {SyntacticPairs, 2.91e+03}},
		memory: Power{Shingles, 3.98e+07, 0.117},
	},
	{
		stage:  "union",
		cpu:    Terms{{Pages, 7.67e-06}},
		disk:   Terms{{Fixed, 6.04e+05}, {Bytes, 1.27}, {Documents, 439}, {Shingles, 3.8}, {Nodes, 237}, {Postings, 40}, {TopicalPairs, 16.9}, {SyntacticPairs, 2.39e+03}},
		memory: Power{Shingles, 3.63e+07, 0.123},
	},
	{
		stage:  "publish",
		cpu:    Terms{{Documents, 3.03e-06}, {TopicalPairs, 6.14e-07}},
		disk:   Terms{{Bytes, 1.47}, {Documents, 461}, {Shingles, 2.58}, {Nodes, 320}, {Postings, 41.2}, {TopicalPairs, 28.2}},
		memory: Power{Documents, 1.45e+08, 0.0319},
	},
}
