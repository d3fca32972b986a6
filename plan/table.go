package plan

// costs are the coefficients of all stages, in their order. make calibrate has fitted them to 13 runs.
var costs = []stageCosts{
	{
		stage:  "read",
		cpu:    Terms{{Bytes, 9.42e-09}, {Links, 2.94e-06}, {Occurrences, 2.29e-07}},
		memory: Terms{{Fixed, 3.96e+07}, {Links, 59.9}, {Occurrences, 12.6}},
		disk:   Terms{{Fixed, 1.62e+06}, {Bytes, 0.331}, {Links, 163}, {Occurrences, 12.3}},
	},
	{
		stage:  "redirect",
		cpu:    Terms{{Links, 2.15e-08}},
		memory: Terms{{Fixed, 8.34e+06}, {Links, 95.1}},
		disk:   Terms{{Fixed, 1.65e+06}, {Bytes, 0.328}, {Links, 162}, {Occurrences, 12.3}},
	},
	{
		stage:  "group",
		cpu:    Terms{{Occurrences, 1.46e-07}, {Documents, 3.17e-06}},
		memory: Terms{{Fixed, 3.16e+07}, {Occurrences, 11.5}, {Documents, 170}},
		disk:   Terms{{Fixed, 8.18e+05}, {Bytes, 0.403}, {Links, 30.4}, {Occurrences, 23.2}, {Documents, 433}},
	},
	{
		stage:  "weigh",
		cpu:    Terms{{Occurrences, 1.99e-07}},
		memory: Terms{{Fixed, 7.41e+06}, {Occurrences, 12.2}, {Documents, 50.1}},
		disk:   Terms{{Fixed, 5.32e+05}, {Bytes, 0.598}, {Occurrences, 26.9}, {Documents, 11.2}, {Nodes, 474}},
	},
	{
		stage:  "sign",
		cpu:    Terms{{Nodes, 2.28e-06}, {Postings, 1.72e-08}},
		memory: Terms{{Fixed, 1.5e+07}, {Nodes, 94.3}},
		disk:   Terms{{Fixed, 1.18e+06}, {Bytes, 0.583}, {Occurrences, 6.29}, {Documents, 390}, {Nodes, 244}, {Postings, 27.6}},
	},
	{
		stage:  "invert",
		cpu:    Terms{{Nodes, 7.5e-07}, {Postings, 4.6e-08}},
		memory: Terms{{Fixed, 2.95e+07}, {Postings, 12.3}},
		disk:   Terms{{Fixed, 1.12e+06}, {Bytes, 0.579}, {Occurrences, 11.1}, {Documents, 309}, {Nodes, 359}, {Postings, 23.8}},
	},
	{
		stage:  "pair",
		cpu:    Terms{{Collisions, 3.24e-07}, {Comparisons, 8.9e-07}},
		memory: Terms{{Fixed, 7.33e+07}, {Nodes, 61.7}, {Comparisons, 21.5}},
		disk:   Terms{{Links, 468}, {Shingles, 9.34}, {Nodes, 83.8}, {Postings, 26.9}, {TopicalPairs, 86.6}},
	},
	{
		stage:  "cluster",
		cpu:    Terms{{Nodes, 3.81e-06}, {TopicalPairs, 2.58e-07}},
		memory: Terms{{Fixed, 8.28e+07}, {Nodes, 172}, {TopicalPairs, 96.4}},
		disk:   Terms{{Fixed, 1.4e+06}, {Bytes, 0.523}, {Occurrences, 15.2}, {Documents, 148}, {Nodes, 570}, {Postings, 18.5}, {TopicalPairs, 17.1}},
	},
	{
		stage:  "tree",
		cpu:    Terms{{TopicalPairs, 1.03e-06}},
		memory: Terms{{Fixed, 6.46e+07}, {TopicalPairs, 56.6}},
		disk:   Terms{{Fixed, 1.29e+06}, {Bytes, 0.534}, {Occurrences, 15.9}, {Documents, 280}, {Nodes, 467}, {Postings, 17.3}, {TopicalPairs, 17}},
	},
	{
		stage:  "shingle",
		cpu:    Terms{{Shingles, 2.68e-08}, {Pages, 1.07e-05}},
		memory: Terms{{Fixed, 4.24e+07}, {Pages, 278}},
		disk:   Terms{{Fixed, 6.12e+05}, {Bytes, 1.23}, {Occurrences, 1.49}, {Documents, 432}, {Shingles, 0.476}, {Nodes, 248}, {Postings, 37.7}, {TopicalPairs, 17.1}},
	},
	{
		stage:  "index",
		cpu:    Terms{{Shingles, 1.18e-07}},
		memory: Terms{{Fixed, 4.17e+07}, {Shingles, 19.4}},
		disk:   Terms{{Bytes, 1.27}, {Documents, 440}, {Shingles, 4.19}, {Nodes, 247}, {Postings, 40.4}, {TopicalPairs, 16.7}, {SyntacticPairs, 9.89e+03}},
	},
	{
		stage:  "equal",
		cpu:    Terms{{Shingles, 9.28e-08}, {Pages, 2.24e-05}},
		memory: Terms{{Fixed, 5.35e+07}, {Shingles, 68.1}},
		disk:   Terms{{Fixed, 6.04e+05}, {Bytes, 1.27}, {Documents, 439}, {Shingles, 3.82}, {Nodes, 237}, {Postings, 40}, {TopicalPairs, 16.9}, {SyntacticPairs, 2.26e+03}},
	},
	{
		stage:  "resemble",
		cpu:    Terms{{Samples, 8.04e-07}},
		memory: Terms{{Fixed, 4.15e+07}, {Samples, 650}, {Shingles, 24.2}},
		disk:   Terms{{Fixed, 6.1e+05}, {Bytes, 1.27}, {Documents, 439}, {Shingles, 3.76}, {Nodes, 237}, {Postings, 40}, {TopicalPairs, 16.9}, {SyntacticPairs, 2.91e+03}},
	},
	{
		stage:  "union",
		cpu:    Terms{{Pages, 7.67e-06}},
		memory: Terms{{Fixed, 4.14e+07}, {Shingles, 73.1}},
		disk:   Terms{{Fixed, 6.04e+05}, {Bytes, 1.27}, {Documents, 439}, {Shingles, 3.8}, {Nodes, 237}, {Postings, 40}, {TopicalPairs, 16.9}, {SyntacticPairs, 2.39e+03}},
	},
	{
		stage:  "publish",
		cpu:    Terms{{Documents, 3.03e-06}, {TopicalPairs, 6.14e-07}},
		memory: Terms{{Fixed, 1.57e+08}, {Documents, 247}, {TopicalPairs, 4.42}, {SyntacticPairs, 2.81e+05}},
		disk:   Terms{{Bytes, 1.47}, {Documents, 461}, {Shingles, 2.58}, {Nodes, 320}, {Postings, 41.2}, {TopicalPairs, 28.2}},
	},
}
