import { REFERENCE } from '../../registry.ts'
import { bashReplies, splitLine } from './bash-words.ts'
import { complete, type ListNames } from './complete.ts'
import { liveNames } from './live-names.ts'

/** Answers the script of a shell: `bash LINE`, or `words WORD…` for shells that split the line themselves. */
export async function completionReply(args: readonly string[], listNames: ListNames = liveNames): Promise<string[]> {
  const [how, ...rest] = args
  if (how === 'bash') {
    const line = splitLine(rest[0] ?? '')
    return bashReplies(await complete(REFERENCE, line.words.slice(1), listNames), line)
  }
  const { candidates, files } = await complete(REFERENCE, rest, listNames)
  const lines = candidates.map(({ value, about }) => (about === undefined ? value : `${value}\t${about}`))
  return [...lines, ...(files ? [':file'] : [])]
}
