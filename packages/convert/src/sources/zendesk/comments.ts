import { cellText, idText, type JsonObject, objectsOf, scalarText } from '../../json/values.ts'
import { inOrder } from '../../parts/comment-order.ts'
import { sourceFile, urlPath } from '../../parts/file-names.ts'
import { INTERNAL_MARK } from '../../parts/internal-mark.ts'
import type { SourceComment, SourceFile } from '../../source.ts'
import { htmlToText } from '../../text/html.ts'
import type { People } from './people.ts'
import type { Survey } from './survey.ts'

/** The conversation of a ticket. */
export interface Conversation {
  readonly comments: readonly SourceComment[]
  /** Files of the comment that is the description. */
  readonly files: readonly SourceFile[]
  /** How many comments only agents could see. */
  readonly internal: number
  /** How many comments have neither text nor files. */
  readonly empty: number
  /** What comments contain beyond text, author, time and files. */
  readonly more: string | undefined
}

const USED = new Set(['body', 'html_body', 'plain_body', 'author_id', 'author', 'created_at', 'public', 'attachments'])
const ALSO_USED = new Set(['ticket_id'])

/**
 * Reads the comments of a ticket in the order of their time. Zendesk repeats the description as the first comment; that
 * one is left out, and its files belong to the ticket.
 */
export function conversationOf(
  ticket: { readonly id: string; readonly description: string | undefined },
  raw: readonly JsonObject[],
  people: People,
  survey: Survey,
): Conversation {
  const all = raw.map((comment, index) => ({
    comment: toComment(ticket.id, comment, index, people, survey),
    isInternal: comment.public === false,
    isEmpty: false,
  }))
  const ordered = inOrder(all.map(({ comment }) => comment))
  const internal = new Set(all.filter(({ isInternal }) => isInternal).map(({ comment }) => comment))
  const [first] = ordered
  const repeatsDescription =
    first !== undefined && !internal.has(first) && sameText(first.text, ticket.description ?? '')
  const rest = repeatsDescription ? ordered.slice(1) : ordered
  const filled = rest.filter(({ text, files }) => text.trim() !== '' || files.length > 0)
  return {
    comments: filled.map((comment) => (internal.has(comment) ? marked(comment) : comment)),
    files: repeatsDescription ? first.files : [],
    internal: filled.filter((comment) => internal.has(comment)).length,
    empty: rest.length - filled.length,
    more: cellText(raw.map(moreOf).filter((more) => Object.keys(more).length > 0)),
  }
}

function toComment(ticket: string, raw: JsonObject, index: number, people: People, survey: Survey): SourceComment {
  const place = `ticket ${ticket}, comment ${index + 1}`
  return {
    place,
    author: people.of(raw.author, raw.author_id),
    createdAt: scalarText(raw.created_at),
    text: textOf(raw),
    isHtml: false,
    files: filesOf(ticket, index + 1, raw.attachments, survey),
  }
}

function textOf({ plain_body: plain, html_body: html, body }: JsonObject): string {
  const text = scalarText(plain)
  // Zendesk leaves entities in its plain texts.
  if (text !== undefined) return text.replaceAll('&nbsp;', ' ').trim()
  const rich = scalarText(html)
  return rich === undefined ? (scalarText(body) ?? '') : htmlToText(rich)
}

function filesOf(ticket: string, comment: number, attachments: unknown, { names }: Survey): SourceFile[] {
  const list = objectsOf(attachments)
  const nameOf = (file: JsonObject) => scalarText(file.file_name) ?? scalarText(file.name) ?? idText(file.id) ?? 'file'
  return list.map((file) => {
    const name = nameOf(file)
    const id = idText(file.id)
    const url = urlPath(scalarText(file.content_url))
    const token = /attachments\/token\/([^/]+)/.exec(url ?? '')?.[1]
    const isOnly = list.filter((other) => nameOf(other) === name).length === 1
    const paths = [
      id && `${ticket}/${id}/${name}`,
      id && `${ticket}/${id}_${name}`,
      isOnly ? `${ticket}/${comment}_${name}` : undefined,
      id && `${id}/${name}`,
      id && `${id}_${name}`,
      token && `${token}/${name}`,
      token,
      url,
      id,
    ]
    return sourceFile({ name, contentType: scalarText(file.content_type) }, paths, names)
  })
}

function marked(comment: SourceComment): SourceComment {
  return { ...comment, text: `${INTERNAL_MARK} ${comment.text}`.trim() }
}

function moreOf(comment: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(comment).filter(([name]) => !USED.has(name) && !ALSO_USED.has(name)))
}

function sameText(a: string, b: string): boolean {
  const normal = (text: string) => text.replaceAll('&nbsp;', ' ').replaceAll(/\s+/g, ' ').trim()
  return normal(a) !== '' && normal(a) === normal(b)
}
