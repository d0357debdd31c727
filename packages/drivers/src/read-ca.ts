import { X509Certificate } from 'node:crypto'
import { constants, type Stats } from 'node:fs'
import { type FileHandle, open, stat } from 'node:fs/promises'
import { Failure } from '@plantroom/contract/failure'
import { excerpt } from './excerpt.ts'

const MIB = 1_048_576
const PEM_HEAD = /-----BEGIN (?:X509 |TRUSTED )?CERTIFICATE-----/

/**
 * Reads the PEM file in `settings.ca`. Never blocks, and never reads more than 1 MiB, whatever is at the path. Rejects
 * with a `Failure` of kind `offline` that says what is wrong with the file and what to do.
 */
export async function readCa(file: string): Promise<string> {
  const text = await readBounded(file).catch((error: unknown) => {
    if (error instanceof Failure) throw error
    const { code = 'unknown error' } = error as { code?: string }
    throw unusable(`the file cannot be read (${excerpt(code)}): check its path and permissions`)
  })
  if (!PEM_HEAD.test(text)) throw unusable('the file contains no certificate: use a PEM file with certificates')
  try {
    new X509Certificate(text)
  } catch (error) {
    const reason = excerpt((error as Error).message)
    throw unusable(`the certificate in the file is damaged (${reason}): replace it with a valid PEM file`)
  }
  return text
}

async function readBounded(file: string): Promise<string> {
  // Checked before opening, because opening a device can have side effects, and again afterwards, because the file may
  // have been replaced in between.
  checkRegular(await stat(file))
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY)
  try {
    checkRegular(await handle.stat())
    return await readAtMost(handle, MIB)
  } finally {
    await handle.close()
  }
}

function checkRegular(found: Stats): void {
  if (found.isFile()) return
  throw unusable(`the path is ${kindOf(found)}, not a regular file: use a PEM file with certificates`)
}

function kindOf(found: Stats): string {
  if (found.isDirectory()) return 'a directory'
  if (found.isFIFO()) return 'a FIFO'
  if (found.isSocket()) return 'a socket'
  return 'a device'
}

/** Reads to the end of the file. Ignores its reported size: files in `/proc` report 0, and others grow while read. */
async function readAtMost(handle: FileHandle, most: number): Promise<string> {
  const buffer = Buffer.alloc(most + 1)
  let length = 0
  while (length < buffer.length) {
    const { bytesRead } = await handle.read(buffer, length, buffer.length - length)
    if (bytesRead === 0) return buffer.toString('utf8', 0, length)
    length += bytesRead
  }
  throw unusable('the file is larger than 1 MiB: use a file that contains only the certificates to trust')
}

const unusable = (problem: string) => new Failure('offline', `settings.ca: ${problem}`)
