import { execFile, execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { temporaryFolder } from '@plantroom/testkit/temporary-folder'
import { expect, onTestFinished, test } from 'vitest'

/** An authority that no machine knows, and two certificates of it for a name that is not that of this machine. */
function makeCertificates() {
  const folder = temporaryFolder()
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' })
  const ec = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']
  openssl('req', '-x509', ...ec, '-subj', '/CN=authority', '-days', '1', '-keyout', 'ca.key', '-out', 'ca.pem')
  writeFileSync(join(folder, 'names'), 'subjectAltName=DNS:plantroom.example.com\n')
  return ['own', 'other'].map((name, index) => {
    openssl('req', ...ec, '-subj', `/CN=${name}`, '-keyout', `${name}.key`, '-out', `${name}.csr`)
    const issue = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-set_serial', String(index + 1), '-extfile', 'names']
    openssl('x509', '-req', '-in', `${name}.csr`, ...issue, '-days', '1', '-out', `${name}.pem`)
    return { file: join(folder, `${name}.pem`), key: readFileSync(join(folder, `${name}.key`)) }
  })
}

async function serve({ file, key }: { file: string; key: Buffer }): Promise<string> {
  const server = createServer({ cert: readFileSync(file), key }, (_request, response) => response.end())
  onTestFinished(() => void server.close())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('accepts a server with exactly the trusted certificate, by any name, and no other of its authority', async () => {
  const [own, other] = makeCertificates()
  if (!own || !other) throw new Error('openssl made no certificates')
  const client = fileURLToPath(new URL('./testing/trusting-client.ts', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, [
    client,
    own.file,
    await serve(own),
    await serve(other),
  ])
  expect(stdout).toMatch(/^200\nUNABLE_TO_/)
})
