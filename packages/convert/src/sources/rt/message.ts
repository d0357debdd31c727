import type { JsonObject } from '../../json/values.ts'
import type { SourceFile } from '../../source.ts'
import { htmlToText } from '../../text/html.ts'

/** A part of a mail, as RT stores it. */
export interface Part {
  readonly id: string
  /** The part that contains it, or 0. */
  readonly parent: string
  readonly contentType: string
  readonly filename: string | undefined
  readonly subject: string | undefined
}

/** What a mail says, and what came with it. */
export interface Message {
  readonly subject: string | undefined
  readonly text: string
  readonly files: readonly SourceFile[]
}

const EXTENSIONS = new Map([
  ['image/png', '.png'],
  ['image/jpeg', '.jpg'],
  ['image/gif', '.gif'],
  ['application/pdf', '.pdf'],
  ['text/calendar', '.ics'],
  ['text/html', '.html'],
  ['text/plain', '.txt'],
  ['message/rfc822', '.eml'],
])

/**
 * Puts a mail together from its parts. Texts without a file name are what it says; of alternatives the plain text counts,
 * and HTML becomes text. Everything else is a file.
 */
export async function readMessage(
  parts: readonly Part[],
  contentOf: (id: string) => Promise<Uint8Array>,
): Promise<Message> {
  const texts: string[] = []
  const containers = new Set(parts.map(({ parent }) => parent))
  const isFile = (part: Part) => isFilePart(part, containers)
  for (const part of spokenParts(
    parts.filter((each) => !isFile(each)),
    alternativesOf(parts),
  )) {
    const content = new TextDecoder().decode(await contentOf(part.id))
    texts.push(part.contentType === 'text/html' ? htmlToText(content) : content.trim())
  }
  const files = parts.filter(isFile).map((part) => ({
    name: part.filename ?? `untitled-${part.id}${EXTENSIONS.get(part.contentType) ?? ''}`,
    contentType: part.contentType,
    paths: [],
    read: () => contentOf(part.id),
  }))
  const subject = parts.find(({ parent }) => parent === '0')?.subject
  return { subject, text: texts.filter((text) => text !== '').join('\n\n'), files }
}

/** Decodes what RT writes for bytes. Undefined for anything else. */
export function decodeContent({ Content }: JsonObject): Uint8Array | undefined {
  // RT leaves out the content of an empty part.
  if (Content === undefined || Content === null || Content === '') return new Uint8Array()
  if (typeof Content !== 'string' || !/^[A-Za-z0-9+/\s]*(?:={1,2}\s*)?$/.test(Content)) return undefined
  return Buffer.from(Content, 'base64')
}

/** The texts that a reader of the mail sees, in order. */
function spokenParts(parts: readonly Part[], alternativeOf: (part: Part) => string | undefined): Part[] {
  const texts = parts.filter((part) => part.contentType.startsWith('text/'))
  const hasPlain = new Set(texts.filter(({ contentType }) => contentType === 'text/plain').map(alternativeOf))
  return texts.filter((part) => {
    const alternative = alternativeOf(part)
    return part.contentType === 'text/plain' || alternative === undefined || !hasPlain.has(alternative)
  })
}

/** Real mails have a few. Parts that contain each other have no end. */
const MOST_LEVELS = 100

/** Returns what finds the outermost part of alternatives around a part. */
function alternativesOf(parts: readonly Part[]): (part: Part) => string | undefined {
  const byId = new Map(parts.map((part) => [part.id, part]))
  return (part) => {
    let found: string | undefined
    let current: Part | undefined = part
    for (let level = 0; current && level < MOST_LEVELS; level += 1) {
      if (current.contentType === 'multipart/alternative') found = current.id
      current = byId.get(current.parent)
    }
    return found
  }
}

function isFilePart({ id, contentType, filename }: Part, containers: ReadonlySet<string>): boolean {
  if (contentType.startsWith('multipart/')) return false
  // RT takes a forwarded mail apart, but not every other message.
  if (contentType.startsWith('message/')) return !containers.has(id)
  return filename !== undefined || (contentType !== 'text/plain' && contentType !== 'text/html')
}
