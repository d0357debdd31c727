import { createHash } from 'node:crypto'
import { VERSION } from '@plantroom/contract/version'
import { run } from './run.ts'

/** What runs in an installation. The others are for developers. */
const WORKSPACES = ['cloud', 'edge', 'cli', 'simulator', 'web']

interface Bom {
  serialNumber?: string
  metadata: { timestamp?: string; component?: { version?: string } }
}

/** Lists every package that a release contains, with version, licence and checksum, in the format CycloneDX. */
export async function billOfMaterials(root: string, madeAt: Date): Promise<string> {
  const workspaces = WORKSPACES.flatMap((name) => ['--workspace', `packages/${name}`])
  const listed = await run(
    ['npm', 'sbom', '--sbom-format=cyclonedx', '--omit=dev', '--package-lock-only', ...workspaces],
    root,
  )
  const bom: Bom = JSON.parse(listed)
  // Two runs give the same file: its time is that of the release, and its number follows from its content.
  bom.metadata.timestamp = madeAt.toISOString()
  delete bom.serialNumber
  const hash = createHash('sha256').update(JSON.stringify(bom)).update(VERSION).digest('hex')
  const uuid = `${hash.slice(0, 8)}-${hash.slice(8, 12)}-5${hash.slice(13, 16)}-8${hash.slice(17, 20)}-${hash.slice(20, 32)}`
  bom.serialNumber = `urn:uuid:${uuid}`
  return `${JSON.stringify(bom, null, 2)}\n`
}
