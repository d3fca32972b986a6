// Prints the readmes of installed packages as JSON Lines: node readmes.mjs node_modules. A page ends with links to the
// homepage, the repository and the dependencies of its package, each with what the package says of itself.
import {existsSync, readFileSync, readdirSync} from 'node:fs'
import {createRequire} from 'node:module'
import {join, resolve} from 'node:path'

const root = resolve(process.argv[2])
const {marked} = await import(createRequire(join(root, 'x')).resolve('marked'))
const free = /^\(?(MIT|ISC|Apache-2\.0|BSD-[23]-Clause|0BSD|CC0-1\.0|Unlicense|BlueOak-1\.0\.0)/
const escape = s => String(s ?? '').replace(/[&<>"]/g, c => ({'&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;'})[c])
// Badges are links around pictures; they say nothing of the package.
const badges = /<a [^>]*>\s*(<img [^>]*>\s*)+<\/a>|<img [^>]*>/g
const address = name => `https://www.npmjs.com/package/${name}`

// names lists packages, those with a scope too.
const names = readdirSync(root).flatMap(n => n.startsWith('@') ? readdirSync(join(root, n)).map(m => `${n}/${m}`) : [n]).sort()
const packages = new Map()
for (const name of names) {
	const file = join(root, name, 'package.json')
	if (!existsSync(file)) continue
	const about = JSON.parse(readFileSync(file, 'utf8'))
	if (free.test(about.license?.type ?? about.license ?? '')) packages.set(name, about)
}
for (const [name, about] of packages) {
	const readme = readdirSync(join(root, name)).find(f => /^readme\.(md|markdown)$/i.test(f))
	if (!readme) continue
	const repository = String(about.repository?.url ?? about.repository ?? '').replace(/^git\+/, '').replace(/^git:/, 'https:').replace(/\.git$/, '')
	const links = [[about.homepage, 'Homepage'], [repository, 'Repository']].filter(l => /^https?:/.test(l[0] ?? ''))
	const needs = Object.keys(about.dependencies ?? {}).filter(d => packages.has(d))
	process.stdout.write(JSON.stringify({url: address(name), html: `<title>${escape(name)}</title><h1>${escape(name)}</h1><p>${escape(about.description)}</p>
${marked(readFileSync(join(root, name, readme), 'utf8')).replace(badges, '')}
<h2>Package</h2><ul>${links.map(([to, what]) => `<li>${what} of ${escape(name)}: <a href="${escape(to)}">${escape(to)}</a>`).join('')}</ul>
<h2>Dependencies</h2><ul>${needs.map(d => `<li><a href="${address(d)}">${d}</a>: ${escape(packages.get(d).description)}`).join('')}</ul>`}) + '\n')
}
