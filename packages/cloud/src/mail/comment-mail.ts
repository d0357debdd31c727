/** A staff comment on a request. */
interface StaffComment {
  siteName: string
  requestNumber: number
  requestTitle: string
  /** Name of the author as the site shows it. */
  authorName?: string | null | undefined
  content: string
}

const MAX_TITLE = 150
// Some readers break lines at separators, and direction marks can make one name look like another.
const NOT_IN_A_LINE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu
const NOT_IN_TEXT = /[^\P{Cc}\n\t]/gu

/** Writes the plain-text mail that tells a reporter about a staff comment. */
export function commentMail(comment: StaffComment): { subject: string; body: string } {
  const title = cut(oneLine(comment.requestTitle), MAX_TITLE)
  const author = oneLine(comment.authorName ?? '') || 'The maintenance staff'
  const request = `request #${comment.requestNumber}`
  return {
    subject: `[#${comment.requestNumber}] ${title}`,
    body: [
      `${author} commented on your ${request}, "${title}":`,
      '',
      plainText(comment.content),
      '',
      // Mail programs recognize this line as the start of a signature.
      '-- ',
      `${oneLine(comment.siteName)}: you receive this message because you reported ${request}.`,
      '',
    ].join('\n'),
  }
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
