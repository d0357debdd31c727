import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { writeAssets } from './assets.ts'
import { renderCode } from './code.ts'
import { readSources, type ShownFile, type Sources } from './documents.ts'
import { FRAME_TEXTS } from './frame-texts.ts'
import { escapeHtml } from './html.ts'
import { addressOf, linksOf } from './links.ts'
import { render } from './markdown.ts'
import { indexOf, navigationOf, readingOrder } from './navigation.ts'
import { type PageContent, writePage } from './page.ts'
import { type OpenApiPaths, searchOperations, searchPage } from './search-data.ts'
import { API_DESCRIPTION } from './source-files.ts'

/** Writes the whole help into a folder and returns the number of its pages. */
export async function writeSite(root: string, folder: string): Promise<number> {
  const sources = readSources(root)
  const navigations = new Map(
    sources.documents.map(indexOf).map((index) => [index, navigationOf(sources, index)] as const),
  )
  const navigationFor = (page: { path: string }) => navigations.get(indexOf(page)) ?? []
  const parts = new Map(
    [...navigations.values()]
      .flat()
      .flatMap((section) => readingOrder([section]).map(({ document }) => [document.path, section.title])),
  )
  const listed = { decisions: 'Design decisions', templates: 'Equipment templates' } as const
  const partOf = (path: string) => parts.get(path) ?? listed[path.split('/')[0] as keyof typeof listed] ?? ''
  const { paths } = JSON.parse(readFileSync(join(root, API_DESCRIPTION), 'utf8')) as { paths: OpenApiPaths }
  const assets = await writeAssets(root, folder, (language) => [
    ...sources.documents
      .filter((document) => document.language === language)
      .map((document) => searchPage(document, partOf(document.path))),
    ...(language === 'en' ? [searchOperations(paths)] : []),
  ])
  const contents: PageContent[] = [
    ...sources.documents.map((document) => ({
      ...document,
      part: partOf(document.path),
      html: render(document.tokens, document.headings, linksOf(sources, document), FRAME_TEXTS[document.language]),
    })),
    ...sources.files.map((file) => filePage(file, sources)),
    NOT_FOUND,
  ]
  for (const content of contents) {
    const path = join(folder, `${content.path || 'index'}.html`)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, writePage(content, navigationFor(content), assets))
  }
  mkdirSync(join(folder, 'images'))
  for (const image of sources.images) cpSync(join(root, image), join(folder, 'images', basename(image)))
  compressBelow(folder)
  return contents.length
}

const NOT_FOUND: PageContent = {
  path: '404',
  language: 'en',
  title: 'Page not found',
  part: '',
  headings: [],
  html: `<h1>Page not found</h1>
<p>The help has no page at this address. Search for it, or start at the <a href="${addressOf('')}">first page</a>.</p>
<div id="suggestions"></div>
`,
}

function filePage({ source, path, content }: ShownFile, { files }: Sources): PageContent {
  const html =
    typeof content === 'string'
      ? renderCode(content.trimEnd(), 'text')
      : `<ul>${content
          .map((name) => files.find((file) => file.source === `${source}/${name}`))
          .map((file) => file && `<li><a href="${addressOf(file.path)}">${escapeHtml(basename(file.source))}</a></li>`)
          .join('\n')}</ul>\n`
  return {
    path,
    language: 'en',
    title: source,
    part: 'Files',
    headings: [],
    html: `<h1>${escapeHtml(source)}</h1>\n${html}`,
  }
}

/** Writes a `.gz` beside every text, which the cloud sends to browsers. */
function compressBelow(folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isFile() && /\.(html|css|js|json)$/.test(entry.name))
      writeFileSync(`${path}.gz`, gzipSync(readFileSync(path), { level: 9 }))
  }
}
