import type { SourceComment, SourceFile, SourcePerson } from '../source.ts'
import { inOrder } from './comment-order.ts'
import { INTERNAL_MARK } from './internal-mark.ts'

/**
 * Divides the conversation of a ticket whose first message is the description: adds the column `Description`, and
 * `Description by` if somebody else than the reporter wrote it. Comments without text and files are listed in `Empty comments`.
 */
export function divideConversation(
  values: Map<string, string>,
  unordered: readonly SourceComment[],
  reporter: SourcePerson | undefined,
): { readonly comments: readonly SourceComment[]; readonly files: readonly SourceFile[] } {
  const all = inOrder(unordered)
  const isInternal = ({ text }: SourceComment) => text.startsWith(INTERNAL_MARK)
  const isEmpty = ({ text, files }: SourceComment) => text.trim() === '' && files.length === 0
  const internal = all.filter(isInternal).length
  if (internal > 0) values.set('Internal comments', String(internal))
  const empty = all.filter(isEmpty)
  if (empty.length > 0) values.set('Empty comments', empty.map(headOf).join('\n'))
  const filled = all.filter((comment) => !isEmpty(comment))
  const [first, ...rest] = filled
  if (first === undefined || isInternal(first) || first.text.trim() === '') return { comments: filled, files: [] }
  values.set('Description', first.text)
  const { author } = first
  if (author && (author.email ?? author.name) !== (reporter?.email ?? reporter?.name)) {
    values.set('Description by', shownPerson(author))
  }
  return { comments: rest, files: first.files }
}

const headOf = ({ createdAt = '', author = {} }: SourceComment) => `${createdAt} ${shownPerson(author)}`.trim()

const shownPerson = ({ name, email }: SourcePerson) =>
  name !== undefined && email !== undefined ? `${name} <${email}>` : (name ?? email ?? '')
