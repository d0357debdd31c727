import { createHash } from 'node:crypto'

/** What runs in an installation. The others are for developers. */
const PRODUCTS = ['cloud', 'edge', 'cli', 'simulator', 'web']

interface Locked {
  version?: string
  integrity?: string
  license?: string
  link?: boolean
  resolved?: string
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
}

interface Lockfile {
  version: string
  packages: Record<string, Locked>
}

/**
 * Lists every package that a release contains, in the format CycloneDX. `npm sbom --omit=dev` leaves out a package that
 * some other package has for its tests only, so we follow the lockfile ourselves. The same release gives the same bytes.
 */
export function billOfMaterials(lockfile: string, madeAt: Date): string {
  const { version, packages }: Lockfile = JSON.parse(lockfile)
  const components = [
    ...installedBy(
      packages,
      PRODUCTS.map((name) => `packages/${name}`),
    ),
  ]
    .filter((path) => path.includes('node_modules/'))
    .map((path) => component(path, packages[path] ?? {}))
    .toSorted((a, b) => (a['bom-ref'] < b['bom-ref'] ? -1 : 1))
  const body = {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: {
      timestamp: madeAt.toISOString(),
      component: { type: 'application', name: 'plantroom', version, 'bom-ref': `plantroom@${version}` },
    },
    components,
  }
  return `${JSON.stringify({ ...body, serialNumber: `urn:uuid:${uuidOf(JSON.stringify(body))}` }, null, 2)}\n`
}

/** Returns the places of all packages that these need at run time. */
function installedBy(packages: Record<string, Locked>, from: readonly string[]): Set<string> {
  const found = new Set<string>()
  const left = [...from]
  for (let path = left.pop(); path !== undefined; path = left.pop()) {
    if (found.has(path)) continue
    found.add(path)
    const { dependencies, optionalDependencies, peerDependencies } = packages[path] ?? {}
    for (const name of Object.keys({ ...peerDependencies, ...dependencies, ...optionalDependencies })) {
      const place = placeOf(packages, name, path)
      // A peer or an optional dependency may be absent.
      if (place !== undefined) left.push(place)
    }
  }
  return found
}

/** Looks for a package as Node does: beside the one that needs it, then in each folder above. */
function placeOf(packages: Record<string, Locked>, name: string, from: string): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
    const place = folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`
    const locked = packages[place]
    if (locked) return locked.link ? locked.resolved : place
    if (folder === '') return undefined
  }
}

function component(path: string, { version = '', integrity, license }: Locked) {
  const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
  const [algorithm = '', sum = ''] = integrity?.split('-') ?? []
  return {
    type: 'library',
    'bom-ref': `${name}@${version}`,
    name,
    version,
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    ...(license && { licenses: [/[ (]/.test(license) ? { expression: license } : { license: { id: license } }] }),
    ...(sum && { hashes: [{ alg: `SHA-${algorithm.slice(3)}`, content: Buffer.from(sum, 'base64').toString('hex') }] }),
  }
}

function uuidOf(text: string): string {
  const hash = createHash('sha256').update(text).digest('hex')
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-5${hash.slice(13, 16)}-8${hash.slice(17, 20)}-${hash.slice(20, 32)}`
}
