import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { makeRelease } from './release/make.ts'
import { ARCHITECTURES, type Architecture } from './release/programs.ts'
import { start, UsageError } from './start.ts'
import { ROOT } from './steps.ts'

const USAGE = `plantroom release [FOLDER] [--key FILE] [--npm-only] [--images] [--architecture NAME]...

Makes a release of this checkout in FOLDER (default: release): npm packages, Debian packages for amd64 and arm64, a list
of everything that they contain (CycloneDX), the changes of this version and checksums. The same checkout gives the same
bytes.

--key FILE             sign the checksums with this key of minisign
--npm-only             leave out the Debian packages, which need dpkg-deb and about two minutes
--images               make container images, too: needs root, buildah and mmdebstrap
--architecture NAME    amd64 or arm64, for images (default: both)`

await start('release', async () => {
  const { values, positionals } = parseArgs({
    options: {
      help: { type: 'boolean', short: 'h' },
      key: { type: 'string' },
      'npm-only': { type: 'boolean' },
      images: { type: 'boolean' },
      architecture: { type: 'string', multiple: true },
    },
    allowPositionals: true,
  })
  if (values.help) {
    console.log(USAGE)
    return 0
  }
  const [folder = 'release'] = positionals
  const images = values.images ? readArchitectures(values.architecture) : []
  const options = { key: values.key, npmOnly: values['npm-only'], images }
  for (const { name, bytes } of await makeRelease(ROOT, resolve(folder), options)) {
    console.log(`${name.padEnd(40)} ${(bytes / 1e6).toFixed(2).padStart(8)} MB`)
  }
  return 0
})

function readArchitectures(names: readonly string[] = ['amd64', 'arm64']): Architecture[] {
  return names.map((name) => {
    if (name in ARCHITECTURES) return name as Architecture
    throw new UsageError(`--architecture ${name}: choose ${Object.keys(ARCHITECTURES).join(' or ')}`)
  })
}
