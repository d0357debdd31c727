import { existsSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { ROOT } from '../steps.ts'
import { renderCode } from './code.ts'
import { type Document, languageOf, readSources, type Sources } from './documents.ts'
import { deadLinks } from './links.ts'
import { headingsOf, parse, render } from './markdown.ts'
import { navigationOf, pagesWithoutPlace, readingOrder } from './navigation.ts'
import { searchPage } from './search-data.ts'
import { writeSite } from './site.ts'

function document(source: string, text: string): Document {
  const tokens = parse(text)
  const headings = headingsOf(tokens)
  const path = source.slice('docs/'.length, -'.md'.length).replace(/(^|\/)README$/, '')
  return { source, path, language: languageOf(path), title: headings[0]?.text ?? '', tokens, headings }
}

function sources(pages: Readonly<Record<string, string>>): Sources {
  return {
    documents: Object.entries(pages).map(([source, text]) => document(source, text)),
    files: [{ source: 'deploy/a.conf', path: 'files/deploy/a.conf', content: 'text' }],
    images: ['docs/images/a.png'],
    served: { 'docs/reference/openapi.json': '/openapi.json' },
  }
}

describe('the documentation', () => {
  const all = readSources(ROOT)

  test('has no dead link', () => {
    expect(deadLinks(all)).toEqual([])
  })

  test('has a place in the navigation for every page', () => {
    expect(pagesWithoutPlace(all)).toEqual([])
  })

  test('has every page that the console links to', () => {
    const links = globSync('packages/web/src/{pages,parts,shell}/**/*.tsx', { cwd: ROOT }).flatMap((source) =>
      [...readFileSync(join(ROOT, source), 'utf8').matchAll(/["`]\/help\/([^"`]*)["`]/g)].map(([, address = '']) => ({
        source,
        path: address.replace(/\$\{\w+\}/, 'en'),
      })),
    )
    expect(links.length).toBeGreaterThan(0)
    expect(links.filter(({ path }) => !all.documents.some((each) => each.path === path))).toEqual([])
  })

  test('quotes log messages that the programs write', () => {
    const page = readFileSync(join(ROOT, 'docs/how-to/respond-to-faults.md'), 'utf8')
    const quoted = [...page.matchAll(/log(?:, repeatedly)?: `([^`…]+)`(?: or `([^`…]+)`)?/g)]
      .flatMap(([, first, second]) => [first, second])
      .filter((message) => message !== undefined)
    const code = globSync('packages/{cloud,edge,base}/src/**/*.ts', {
      cwd: ROOT,
      exclude: (name) => name.endsWith('.test.ts'),
    })
      .map((source) => readFileSync(join(ROOT, source), 'utf8'))
      .join('\n')
    expect(quoted.length).toBeGreaterThan(5)
    expect(quoted.filter((message) => !code.includes(message))).toEqual([])
  })

  test('says ./plantroom only for commands of a checkout, because an installed release has no such file', () => {
    const ofCheckout = /\.\/plantroom (test|check|generate|bench|campaign|release|screenshots|prepare)\b/g
    const wrong = all.documents
      .filter(({ source }) => source.startsWith('docs/') && !source.startsWith('docs/decisions/'))
      .flatMap(({ source }) =>
        readFileSync(join(ROOT, source), 'utf8')
          .split('\n')
          .map((line, index) => ({ line: line.replace(ofCheckout, ''), at: `${source}:${index + 1}` })),
      )
      .filter(({ line }) => line.includes('./plantroom ') && !line.includes('In a checkout'))
      .map(({ at, line }) => `${at}: write plantroom instead of ./plantroom: ${line.trim()}`)
    expect(wrong).toEqual([])
  })
})

describe('a link', () => {
  test.each([
    ['no-such.md', 'docs/no-such.md does not exist'],
    ['b.md#no-such', 'docs/b.md has no heading for #no-such; it has #b, #part-one'],
    ['#no-such', 'docs/a.md has no heading for #no-such'],
    ['../deploy/none.conf', 'deploy/none.conf does not exist'],
    ['../deploy/a.conf#part', 'deploy/a.conf is not a page'],
    ['images/none.png', 'docs/images/none.png does not exist'],
    ['/help/b', 'must be relative'],
    ['https://', 'is not a complete web address'],
    ['javascript:alert(1)', 'is not a complete web address'],
    ['https://localhost', 'names no host'],
  ])('to %s is dead', (href, problem) => {
    const pages = sources({
      'docs/a.md': `# A\n\n| a |\n|---|\n| [x](${href}) |\n`,
      'docs/b.md': '# B\n\n## Part *one*\n',
    })
    expect(deadLinks(pages)).toEqual([expect.stringContaining(`docs/a.md: [${href}] ${problem}`)])
  })

  test.each([
    'b.md',
    'b.md#part-one',
    '#a',
    '../deploy/a.conf',
    'images/a.png',
    'reference/openapi.json',
    'https://example.com/a?b#c',
    'mailto:a@example.com',
  ])('to %s is fine', (href) => {
    const pages = sources({ 'docs/a.md': `# A\n\n- [x](${href})\n`, 'docs/b.md': '# B\n\n## Part *one*\n' })
    expect(deadLinks(pages)).toEqual([])
  })
})

test('a page that no navigation leads to is named with the file to change', () => {
  const pages = sources({
    'docs/README.md': '# D\n\n## Read\n\n[B](b.md)\n\n## Tutorials\n\n- [A](a.md)\n',
    'docs/a.md': '# A',
    'docs/b.md': '# B',
  })
  expect(readingOrder(navigationOf(pages)).map(({ label }) => label)).toEqual(['A'])
  expect(pagesWithoutPlace(pages)).toEqual([expect.stringContaining('docs/b.md: link to it from docs/README.md')])
})

describe('a page', () => {
  const show = (text: string) => {
    const tokens = parse(text)
    return render(tokens, headingsOf(tokens), (href) => (href === 'dead.md' ? undefined : href))
  }

  test('has anchors as on GitHub, numbered when a heading repeats', () => {
    expect(headingsOf(parse("# A\n## `x` & Don't\n## Same\n## Same\n")).map(({ anchor }) => anchor)).toEqual([
      'a',
      'x--dont',
      'same',
      'same-1',
    ])
  })

  test('shows code as it is, and lets long names break between words', () => {
    expect(show('`A_B <x> & "y"`')).toBe('<p><code>A_<wbr>B &lt;x&gt; &amp; &quot;y&quot;</code></p>\n')
  })

  test('shows no comment, no HTML of its source and no dead link', () => {
    expect(show('a <b>b</b> [c](dead.md)\n\n<!-- not run: x -->\n')).toBe('<p>a &lt;b&gt;b&lt;/b&gt; c</p>\n')
  })

  test('marks commands of a transcript, which are copied, and their output, which is not', () => {
    expect(renderCode('$ plantroom a \\\n  b  # why\nout\n$ c', 'console')).toContain(
      '<span class="command">plantroom a \\\n  b  <span class="comment"># why</span></span>\n<span class="output">out</span>\n',
    )
    expect(renderCode('$ a\nout <1>', 'console')).toContain('<span class="output">out &lt;1&gt;</span>')
  })

  test('is searched by section, with the text of tables, lists and code', () => {
    const page = searchPage(
      document('docs/a.md', '# A\nintro\n## B & C\n| h |\n|---|\n| `cell` |\n\n- one\n- two\n\n```sh\nrun <x>\n```\n'),
      'Reference',
    )
    expect(page.sections).toEqual([
      ['', 'A', 'intro'],
      ['b--c', 'B & C', 'h cell one two run <x>'],
    ])
  })
})

test('the built help is the same each time, and every address in it leads somewhere', async () => {
  const folders = [0, 1].map(() => mkdtempSync(join(tmpdir(), 'plantroom-help-')))
  onTestFinished(() => folders.forEach((folder) => void rmSync(folder, { recursive: true, force: true })))
  for (const folder of folders) await writeSite(ROOT, folder)
  const [first = '', second = ''] = folders
  const files = (folder: string) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()
  expect(files(first)).toEqual(files(second))
  const bytes = (folder: string, name: string) => readFileSync(join(folder, name))
  const inFirst = files(first).filter((name) => statSync(join(first, name)).isFile())
  expect(inFirst.filter((name) => !bytes(first, name).equals(bytes(second, name)))).toEqual([])
  const texts = new Map(
    files(first)
      .filter((name) => name.endsWith('.html'))
      .map((name) => [name, readFileSync(join(first, name), 'utf8')]),
  )
  const problems: string[] = []
  for (const [name, html] of texts) {
    if (/<(script|style)>|\sstyle=|\son\w+=/.test(html.replace(/<pre[\s\S]*?<\/pre>/g, '')))
      problems.push(`${name} has inline code`)
    for (const [, address = ''] of html.matchAll(/(?:href|src)="((?:\/help\/|#)[^"]*)"/g)) {
      const [path = '', anchor] = address.split('#')
      const below = path.slice('/help/'.length)
      const file =
        path === ''
          ? name
          : below === ''
            ? 'index.html'
            : existsSync(join(first, below)) && /\.\w+$/.test(below) && !texts.has(`${below}.html`)
              ? below
              : `${below}.html`
      if (!existsSync(join(first, file))) problems.push(`${name}: ${address}`)
      else if (anchor !== undefined && !texts.get(file)?.includes(`id="${anchor}"`))
        problems.push(`${name}: ${address}`)
    }
  }
  expect(problems).toEqual([])
})
