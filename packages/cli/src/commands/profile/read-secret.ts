import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { UsageError } from '../../command.ts'

/** More is not a secret but a wrong file. */
const LONGEST = 1000

/** Reads a secret from standard input: on a terminal with a prompt and without showing it. Never from an argument. */
export async function readSecret(what: string): Promise<string> {
  const given = (process.stdin.isTTY ? await ask(`${what}: `) : await text(process.stdin)).trim()
  if (given === '') throw new UsageError(`${what} is missing: type it, or pipe it to standard input`)
  if (given.length > LONGEST || !/^[\x21-\x7e]+$/.test(given)) {
    throw new UsageError(`${what} must be one line of letters, digits and signs, without spaces`)
  }
  return given
}

async function ask(prompt: string): Promise<string> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  process.stderr.write(prompt)
  const lines = createInterface({ input: process.stdin, output: silent, terminal: true })
  try {
    const interrupted = new Promise<never>((_, reject) => {
      lines.once('SIGINT', reject)
    })
    return await Promise.race([lines.question(''), interrupted]).catch(() => {
      throw new Error('stopped: nothing was changed')
    })
  } finally {
    lines.close()
    process.stderr.write('\n')
  }
}
