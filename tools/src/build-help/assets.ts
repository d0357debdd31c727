import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { LANGUAGES, type Language } from '@plantroom/contract/languages'
import { rolldown } from 'rolldown'
import { addressOf } from './links.ts'
import type { Assets } from './page.ts'
import type { SearchPage } from './search-data.ts'
import { writeSearchField } from './search-field.ts'

const HELP = 'packages/web/src/help'
/** In this order: later rules win. */
const STYLES = ['colors.css', 'frame.css', 'search.css', 'page.css', 'media.css']
/** Of the search field in pages that are not of the help. */
const SEARCH_STYLES = ['colors.css', 'search.css', 'search-elsewhere.css']
/** The search field with its style and script, for pages that are not of the help. */
const SEARCH_FIELD = 'search-field.part'
const TOKENS = 'packages/web/src/tokens.json'

/** Writes the style sheets, the scripts and the texts that the search reads. Their names contain a hash of their content. */
export async function writeAssets(
  root: string,
  folder: string,
  pagesOf: (language: Language) => readonly SearchPage[],
): Promise<Assets> {
  mkdirSync(join(folder, 'assets'), { recursive: true })
  const write = (name: string, extension: string, content: string) => {
    const hash = createHash('sha256').update(content).digest('hex').slice(0, 12)
    const path = `assets/${name}-${hash}.${extension}`
    writeFileSync(join(folder, path), content)
    return addressOf(path)
  }
  const pages = Object.fromEntries(
    LANGUAGES.map((language) => [language, write(`pages-${language}`, 'json', JSON.stringify(pagesOf(language)))]),
  ) as Record<Language, string>
  const script = await writeScripts(root, folder)
  const field = [
    `<link rel="stylesheet" href="${write('search', 'css', styleSheet(root, SEARCH_STYLES))}">`,
    `<script type="module" src="${script}"></script>`,
    writeSearchField('en', pages.en),
  ]
  writeFileSync(join(folder, SEARCH_FIELD), `${field.join('\n')}\n`)
  return { style: write('help', 'css', styleSheet(root, STYLES)), script, pages }
}

async function writeScripts(root: string, folder: string): Promise<string> {
  await using bundle = await rolldown({
    input: join(root, HELP, 'main.ts'),
    platform: 'browser',
    logLevel: 'silent',
  })
  const { output } = await bundle.write({
    dir: join(folder, 'assets'),
    format: 'esm',
    minify: true,
    entryFileNames: 'help-[hash].js',
    chunkFileNames: 'search-[hash].js',
  })
  const entry = output.find((file) => file.type === 'chunk' && file.isEntry)
  if (!entry) throw new Error(`${HELP}/main.ts was built without an entry`)
  return addressOf(`assets/${entry.fileName}`)
}

/** Joins the console's design tokens, the colors of Mantine that they build on, and the rules of the help. */
function styleSheet(root: string, styles: readonly string[]): string {
  const rules = styles.map((name) => readFileSync(join(root, HELP, name), 'utf8')).join('\n')
  const tokens = JSON.parse(readFileSync(join(root, TOKENS), 'utf8')) as Record<string, Record<string, string>>
  const block = (selector: string, values: Record<string, string> = {}) =>
    `${selector} {\n${Object.entries(values)
      .map(([name, value]) => `  ${name}: ${value};\n`)
      .join('')}}\n`
  const own = [
    block(':root', tokens.variables),
    block(":root[data-mantine-color-scheme='light']", tokens.light),
    block(":root[data-mantine-color-scheme='dark']", tokens.dark),
  ].join('')
  return usedVariables(mantineVariables(), rules + own) + own + rules
}

const mantineVariables = () =>
  readFileSync(createRequire(import.meta.url).resolve('@mantine/core/styles/default-css-variables.css'), 'utf8')

/** Keeps the variables that the rules use, directly or through another variable. */
function usedVariables(variables: string, rules: string): string {
  const used = new Set<string>()
  const declarations = [...variables.matchAll(/(--[\w-]+):\s*([^;]+);/g)]
  const note = (text: string) => {
    for (const [, name = ''] of text.matchAll(/var\((--[\w-]+)/g)) {
      if (used.has(name)) continue
      used.add(name)
      for (const [, declared, value = ''] of declarations) if (declared === name) note(value)
    }
  }
  note(rules)
  const kept = variables.replace(/\s*(--[\w-]+):\s*[^;]+;/g, (line, name) => (used.has(name) ? line : ''))
  return kept.replace(/\/\*[\s\S]*?\*\//g, '').replace(/[^{}]+\{\s*\}/g, '')
}
