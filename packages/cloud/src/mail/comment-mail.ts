/** A comment of the staff on a request. */
export interface StaffComment {
  siteName: string
  ticketNumber: number
  ticketTitle: string
  /** Who wrote it, as it is shown. */
  authorName?: string | null | undefined
  content: string
}

const LONGEST_TITLE = 150
// Line and paragraph separators end a line for some readers, and a change of direction can make one name look like another.
const NOT_IN_A_LINE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu
const NOT_IN_TEXT = /[^\P{Cc}\n\t]/gu

/** What the reporter of a request gets when the staff has commented on it: plain text, whatever the comment holds. */
export function commentMail(comment: StaffComment): { subject: string; body: string } {
  const title = cut(oneLine(comment.ticketTitle), LONGEST_TITLE)
  const author = oneLine(comment.authorName ?? '') || 'The maintenance staff'
  const request = `request #${comment.ticketNumber}`
  return {
    subject: `[#${comment.ticketNumber}] ${title}`,
    body: [
      `${author} has commented on your ${request}, "${title}":`,
      '',
      plainText(comment.content),
      '',
      // Two dashes and a space: what mail programs know as the beginning of a signature.
      '-- ',
      `${oneLine(comment.siteName)}: you get this message because you reported ${request}.`,
      '',
    ].join('\n'),
  }
}

/** Any text as part of one line: nothing in it ends a header or hides what follows. */
function oneLine(text: string): string {
  return text.toWellFormed().replace(NOT_IN_A_LINE, ' ').trim()
}

function plainText(text: string): string {
  return text.toWellFormed().replace(/\r\n?/g, '\n').replace(NOT_IN_TEXT, '').trim()
}

function cut(text: string, longest: number): string {
  const characters = Array.from(text)
  return characters.length <= longest ? text : `${characters.slice(0, longest - 1).join('')}…`
}
