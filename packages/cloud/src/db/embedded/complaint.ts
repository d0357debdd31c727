/** The line that says why a server or `initdb` gave up, without its prefix. Undefined when it said nothing. */
export function complaintIn(log: string): string | undefined {
  const lines = log.split('\n').filter((line) => line.trim() !== '')
  const last = lines.findLastIndex((line) => FINAL_WORDS.test(line))
  if (last < 0) return lines.at(-1)?.trim()
  const complaint = wordsOf(lines[last])
  // "contains errors" names a file; the line before it names the error.
  const before = lines[last - 1]
  return complaint.includes('contains errors') && before ? `${wordsOf(before)}; ${complaint}` : complaint
}

const FINAL_WORDS = /\b(?:FATAL|PANIC|ERROR|error): /
const PREFIX = /^.*?\b(?:FATAL|PANIC|ERROR|LOG|error):\s+/

function wordsOf(line = ''): string {
  return line.replace(PREFIX, '').trim()
}
