import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { makeRelease } from './release/make.ts'
import { start } from './start.ts'
import { ROOT } from './steps.ts'

const USAGE = `plantroom release [FOLDER] [--key FILE] [--npm-only]

Makes a release of this checkout in FOLDER (default: release): npm packages, Debian packages for amd64 and arm64, a list
of everything that they contain (CycloneDX), the changes of this version and checksums. The same checkout gives the same
bytes.

--key FILE    sign the checksums with this key of minisign
--npm-only    leave out the Debian packages, which need dpkg-deb and some minutes`

await start('release', async () => {
  const { values, positionals } = parseArgs({
    options: { help: { type: 'boolean', short: 'h' }, key: { type: 'string' }, 'npm-only': { type: 'boolean' } },
    allowPositionals: true,
  })
  if (values.help) {
    console.log(USAGE)
    return 0
  }
  const [folder = 'release'] = positionals
  for (const { name, bytes } of await makeRelease(ROOT, resolve(folder), {
    key: values.key,
    npmOnly: values['npm-only'],
  })) {
    console.log(`${name.padEnd(40)} ${(bytes / 1e6).toFixed(2).padStart(8)} MB`)
  }
  return 0
})
