import { createHash } from 'node:crypto'
import { readSync } from 'node:fs'
import { answerQuestions } from '@plantroom/base/asked-thread'
import type { SumQuestion } from './sums.ts'

/** Entry point of the thread that computes checksums. It reads what was just written, which costs no access to the disk. */
const buffer = Buffer.allocUnsafeSlow(1024 * 1024)

answerQuestions(({ file, from, to }: SumQuestion) => {
  const sum = createHash('sha256')
  for (let at = from; at < to; ) {
    const bytes = readSync(file, buffer, 0, Math.min(buffer.length, to - at), at)
    if (bytes === 0) throw new Error('a file became shorter while its checksum was computed')
    sum.update(buffer.subarray(0, bytes))
    at += bytes
  }
  return sum.digest('hex')
})
