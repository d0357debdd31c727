import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { describe, expect, onTestFinished, test } from 'vitest'
import { selfSigned } from './obix/testing/self-signed.ts'
import { readCa } from './read-ca.ts'

const MIB = 1_048_576

function fileWith(content: string | Buffer): string {
  const file = join(temporaryFolder(), 'authorities.pem')
  writeFileSync(file, content)
  return file
}

async function problemOf(file: string): Promise<string> {
  const failure = await readCa(file).then(
    () => expect.fail('the file was accepted'),
    (error) => error,
  )
  expect(failure).toMatchObject({ kind: 'offline', message: expect.stringMatching(/^settings\.ca: .+: .+$/) })
  return failure.message
}

describe('a file of certificates', () => {
  test('is read together with the text around the certificates', async () => {
    const text = `our own authority\n${selfSigned().cert}${selfSigned().cert}`
    expect(await readCa(fileWith(text))).toBe(text)
  })

  test('is read through a symbolic link', async () => {
    const { cert } = selfSigned()
    const link = join(temporaryFolder(), 'link.pem')
    symlinkSync(fileWith(cert), link)
    expect(await readCa(link)).toBe(cert)
  })

  test('may be at most 1 MiB long', async () => {
    const { cert } = selfSigned()
    expect(await readCa(fileWith(cert.padEnd(MIB, '\n')))).toHaveLength(MIB)
    expect(await problemOf(fileWith(cert.padEnd(MIB + 1, '\n')))).toContain('larger than 1 MiB')
    expect(await problemOf(fileWith(Buffer.alloc(2 * MIB, 'x')))).toContain('larger than 1 MiB')
  })

  test('must exist', async () => {
    expect(await problemOf(join(temporaryFolder(), 'nothing.pem'))).toContain('cannot be read (ENOENT)')
    expect(await problemOf('a\0b')).toContain('cannot be read')
  })

  test.each([
    ['nothing', '', 'contains no certificate'],
    ['something else', 'nonsense', 'contains no certificate'],
    ['a key', selfSigned().key, 'contains no certificate'],
    ['half a certificate', selfSigned().cert.slice(0, 200), 'is damaged'],
    ['a broken one', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n', 'is damaged'],
  ])('must not contain %s', async (_, text, problem) => {
    expect(await problemOf(fileWith(text))).toContain(problem)
  })
})

describe('a path to something other than a regular file', () => {
  test.each(['/dev/zero', '/dev/null', '/dev/random', '/dev/tty'])(
    'is rejected without reading it: %s',
    async (device) => {
      expect(await problemOf(device)).toContain('is a device')
    },
  )

  test('is rejected if it is a link to a device', async () => {
    const link = join(temporaryFolder(), 'link.pem')
    symlinkSync('/dev/zero', link)
    expect(await problemOf(link)).toContain('is a device')
  })

  test('is rejected if it is a directory', async () => {
    const folder = join(temporaryFolder(), 'authorities')
    mkdirSync(folder)
    expect(await problemOf(folder)).toContain('is a directory')
  })

  test('is rejected if it is a FIFO, without waiting for a writer', async () => {
    const fifo = join(temporaryFolder(), 'fifo')
    execFileSync('mkfifo', [fifo])
    expect(await problemOf(fifo)).toContain('is a FIFO')
  })

  test('is rejected if it is a socket', async () => {
    const path = join(temporaryFolder(), 'socket')
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(path, resolve))
    onTestFinished(() => void server.close())
    expect(await problemOf(path)).toContain('is a socket')
  })

  test('is read even if the file reports a size of 0', async () => {
    expect(await problemOf('/proc/self/status')).toContain('contains no certificate')
  })
})
