/** A staff comment on a request. */
interface StaffComment {
  siteName: string
  requestNumber: number
  requestTitle: string
  /** Name of the author as the site shows it. */
  authorName?: string | null | undefined
  content: string
}

/** What the mail to the reporter also has. */
interface Links {
  /** The files of the comment, with addresses that need no sign-in. */
  links?: readonly { name: string; url: string }[]
}

/** What the mail to a mentioned person also has. */
interface Mention {
  /** The number of files of the comment. */
  files: number
  /** The address of the request in the console. */
  page: string
}

/** How long the addresses in a mail work: the longest that a bucket allows. */
export const MAILED_LINK_DAYS = 7

const MAX_TITLE = 150
// Some readers break lines at separators, and direction marks can make one name look like another.
const NOT_IN_A_LINE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu
const NOT_IN_TEXT = /[^\P{Cc}\n\t]/gu

/** Writes the plain-text mail that notifies a reporter of a staff comment. */
export function commentMail(comment: StaffComment & Links): { subject: string; body: string } {
  const { title, author, request } = namesIn(comment)
  return {
    subject: `[#${comment.requestNumber}] ${title}`,
    body: [
      `${author} commented on your ${request}, "${title}":`,
      '',
      plainText(comment.content) || '(no text)',
      '',
      ...describeLinks(comment.links ?? []),
      // Mail programs recognize this line as the start of a signature.
      '-- ',
      `${oneLine(comment.siteName)}: you receive this message because you reported ${request}.`,
      '',
    ].join('\n'),
  }
}

/** Writes the plain-text mail that notifies a person of a comment that mentions them. */
export function mentionMail(comment: StaffComment & Mention): { subject: string; body: string } {
  const { title, author, request } = namesIn(comment)
  const files = comment.files === 1 ? 'It has 1 file.' : `It has ${comment.files} files.`
  return {
    subject: `[#${comment.requestNumber}] ${title}`,
    body: [
      `${author} mentioned you in a comment on ${request}, "${title}":`,
      '',
      plainText(comment.content) || '(no text)',
      '',
      ...(comment.files > 0 ? [files, ''] : []),
      `Open the request: ${comment.page}`,
      '',
      '-- ',
      `${oneLine(comment.siteName)}: you receive this message because you have a role on this site.`,
      '',
    ].join('\n'),
  }
}

function namesIn(comment: StaffComment) {
  return {
    title: cut(oneLine(comment.requestTitle), MAX_TITLE),
    author: oneLine(comment.authorName ?? '') || 'The maintenance staff',
    request: `request #${comment.requestNumber}`,
  }
}

function describeLinks(links: readonly { name: string; url: string }[]): string[] {
  if (links.length === 0) return []
  return [
    `Files, which you can open for ${MAILED_LINK_DAYS} days without signing in:`,
    ...links.flatMap(({ name, url }) => [`- ${oneLine(name)}`, `  ${url}`]),
    '',
  ]
}

/** Reduces text to one line without characters that end a header or hide what follows. */
export function oneLine(text: string): string {
  return text.toWellFormed().replace(NOT_IN_A_LINE, ' ').trim()
}

function plainText(text: string): string {
  return text.toWellFormed().replace(/\r\n?/g, '\n').replace(NOT_IN_TEXT, '').trim()
}

function cut(text: string, longest: number): string {
  const characters = Array.from(text)
  return characters.length <= longest ? text : `${characters.slice(0, longest - 1).join('')}…`
}
