import { posix } from 'node:path'
import type { Document, Sources } from './documents.ts'
import { type ResolveLink, visitLinks } from './markdown.ts'

export const HOME = '/help/'

/** The address of a page. */
export const addressOf = (path: string) => `${HOME}${path}`

type Target = { to: string } | { problem: string }

/** Says where each link of a page leads in the help. Links in the sources are relative, so that they work on disk too. */
export function linksOf(sources: Sources, document: Document): ResolveLink {
  return (href) => {
    const target = targetOf(sources, document, href)
    return 'to' in target ? target.to : undefined
  }
}

/** Returns every link that leads nowhere, as `FILE: [LINK] what is wrong`. */
export function deadLinks(sources: Sources): string[] {
  return sources.documents.flatMap((document) => {
    const problems = new Set<string>()
    visitLinks(document.tokens, (href) => {
      const target = targetOf(sources, document, href)
      if ('problem' in target) problems.add(`${document.source}: [${href}] ${target.problem}`)
    })
    return [...problems]
  })
}

function targetOf(sources: Sources, document: Document, href: string): Target {
  if (/^[a-z][a-z0-9+.-]*:/i.test(href) || href.startsWith('//')) return external(href)
  const [path = '', anchor] = href.split('#', 2)
  if (path.startsWith('/')) return { problem: 'must be relative, so that it works in the repository too' }
  const source = path === '' ? document.source : posix.join(posix.dirname(document.source), decodeURI(path))
  return inside(sources, source.replace(/\/$/, ''), anchor)
}

function external(href: string): Target {
  const url = URL.parse(href)
  if (!url || !['http:', 'https:', 'mailto:'].includes(url.protocol))
    return { problem: 'is not a complete web address' }
  if (url.protocol !== 'mailto:' && !url.hostname.includes('.')) return { problem: 'names no host' }
  return { to: href }
}

function inside({ documents, files, images, served }: Sources, source: string, anchor: string | undefined): Target {
  const page = documents.find((document) => document.source === source)
  if (page) {
    if (anchor === undefined) return { to: addressOf(page.path) }
    if (page.headings.some((heading) => heading.anchor === anchor)) return { to: `${addressOf(page.path)}#${anchor}` }
    return { problem: `${source} has no heading for #${anchor}; it has ${anchorsOf(page)}` }
  }
  if (anchor !== undefined) return { problem: `${source} is not a page, so it has no anchors` }
  const shown = files.find((file) => file.source === source)
  if (shown) return { to: addressOf(shown.path) }
  if (images.includes(source)) return { to: addressOf(`images/${posix.basename(source)}`) }
  if (Object.hasOwn(served, source)) return { to: served[source] ?? '' }
  return {
    problem:
      `${source} does not exist, or the help does not show it: link to a page of docs, to a picture in docs/images, ` +
      'or to a file that FILES_BESIDE in tools/src/build-help/source-files.ts lists',
  }
}

const anchorsOf = ({ headings }: Document) => headings.map(({ anchor }) => `#${anchor}`).join(', ')
