import { createHash } from 'node:crypto'
import { type DebianPackage, SUITE } from './images/root.ts'
import { installedBy, type Locked, type Lockfile, nameAt } from './locked.ts'

/** What runs in an installation. The others are for developers. */
const PRODUCTS = ['cloud', 'edge', 'cli', 'simulator', 'web']

/**
 * Lists every package that a release contains, in the format CycloneDX. `npm sbom --omit=dev` leaves out a package that
 * some other package has for its tests only, so we follow the lockfile ourselves. The same release gives the same bytes.
 */
export function billOfMaterials(
  lockfile: string,
  runtimeLockfile: string,
  madeAt: Date,
  /** What the container images contain beside it. */
  debian: readonly DebianPackage[] = [],
): string {
  const { version, packages }: Lockfile = JSON.parse(lockfile)
  const products = PRODUCTS.map((name) => `packages/${name}`)
  const found = [
    ...[...installedBy(packages, products)].map((path) => [path, packages[path] ?? {}] as const),
    // Node itself, which the Debian packages bring along.
    ...Object.entries((JSON.parse(runtimeLockfile) as Lockfile).packages),
  ]
    .filter(([path]) => path.includes('node_modules/'))
    .map(([path, locked]) => component(path, locked))
  // A version that is installed in several folders is one component.
  const components = [...new Map(found.map((each) => [each['bom-ref'], each])).values()].toSorted((a, b) =>
    a['bom-ref'] < b['bom-ref'] ? -1 : 1,
  )
  const body = {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: {
      timestamp: madeAt.toISOString(),
      component: { type: 'application', name: 'plantroom', version, 'bom-ref': `plantroom@${version}` },
    },
    components: [...components, ...debian.map(debianComponent)],
  }
  return `${JSON.stringify({ ...body, serialNumber: `urn:uuid:${uuidOf(JSON.stringify(body))}` }, null, 2)}\n`
}

function component(path: string, { version = '', integrity, license }: Locked) {
  const name = nameAt(path)
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

/** Its licences are in the image, at /usr/share/doc/NAME/copyright. */
function debianComponent({ name, version, architecture }: DebianPackage) {
  const purl = `pkg:deb/debian/${name}@${encodeURIComponent(version)}?arch=${architecture}&distro=${SUITE}`
  return { type: 'library', 'bom-ref': purl, name, version, purl }
}

function uuidOf(text: string): string {
  const hash = createHash('sha256').update(text).digest('hex')
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-5${hash.slice(13, 16)}-8${hash.slice(17, 20)}-${hash.slice(20, 32)}`
}
