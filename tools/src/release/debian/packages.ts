import type { Control } from './dpkg.ts'

/** Where the packages install, below /usr/lib. */
const HOME = '/usr/lib/plantroom'

/** A package with services. */
export interface ServicePackage {
  readonly name: string
  readonly summary: string
  readonly description: string
  /** The system user of its services, and the folder that only this user can read. */
  readonly user: string
  readonly data: string
  readonly home: string
  readonly settings: string
  readonly units: readonly string[]
  /** True if a first installation starts its services. */
  readonly enable: boolean
  /** What it needs beside what Node needs. */
  readonly needs: readonly string[]
  /** Units that start other programs while they run. */
  readonly stopForUpgrade: readonly string[]
  /** Which of two packages on one machine serves the command. The one of the cloud has all commands. */
  readonly priority: number
  /** What the operator has to know after the first installation, and after a removal. */
  readonly firstNote: string
  readonly removalNote: string
}

export const CLOUD: ServicePackage = {
  name: 'plantroom-cloud',
  summary: 'control of building equipment: cloud and worker',
  description: `The HTTP API, the console, the device broker and the jobs of Plantroom, with
an embedded PostgreSQL, and the command plantroom.`,
  user: 'plantroom',
  data: '/var/lib/plantroom',
  home: `${HOME}/cloud`,
  settings: '/etc/plantroom/cloud.env',
  units: ['plantroom-cloud.service', 'plantroom-worker.service'],
  enable: true,
  // The embedded PostgreSQL brings its other libraries along.
  needs: ['libc6 (>= 2.31)', 'tzdata'],
  stopForUpgrade: ['plantroom-worker.service'],
  priority: 20,
  firstNote: '',
  removalNote: '',
}

export const EDGE: ServicePackage = {
  name: 'plantroom-edge',
  summary: 'control of building equipment: controller',
  description: `The agent on a controller in a building. It holds the setpoints of demand
response and works without the cloud.`,
  user: 'plantroom-edge',
  data: '/var/lib/plantroom-edge',
  home: `${HOME}/edge`,
  settings: '/etc/plantroom/edge.env',
  units: ['plantroom-edge.service'],
  enable: false,
  needs: [],
  stopForUpgrade: [],
  priority: 10,
  firstNote: `plantroom-edge: enter what "plantroom device add" printed into /etc/plantroom/edge.env, then start it with
systemctl enable --now plantroom-edge`,
  removalNote: `plantroom-edge: equipment that this controller held keeps its value. /var/lib/plantroom-edge remembers it:
install the package again to release it. Purging forgets it; then set the equipment by hand.`,
}

export const NODE_HOME = `${HOME}/node`
const NODE_PACKAGE = 'plantroom-node'

/** The Debian version of a version of npm: a prerelease sorts before its release. */
export const debianVersion = (version: string): string => version.replace('-', '~')

export const MAINTAINER = 'Plantroom <plantroom@localhost>'

const COMMON = {
  Section: 'misc',
  Priority: 'optional',
  Maintainer: MAINTAINER,
}

const DESCRIPTION_END = 'A flexibility provider controls the equipment of a building with it, within\nits limits.'

/** What dpkg knows about a package with services. */
export function serviceControl(
  pack: ServicePackage,
  version: string,
  node: string,
  architecture: string,
  scripts: Control['scripts'],
): Control {
  return {
    fields: {
      Package: pack.name,
      Version: debianVersion(version),
      Architecture: architecture,
      ...COMMON,
      Depends: [
        `${NODE_PACKAGE} (>= ${node})`,
        `${NODE_PACKAGE} (<< ${Number.parseInt(node, 10) + 1}~)`,
        'adduser',
        'init-system-helpers (>= 1.54)',
        ...pack.needs,
      ].join(', '),
      Description: `${pack.summary}\n${pack.description}\n.\n${DESCRIPTION_END}`,
    },
    conffiles: [pack.settings],
    scripts,
  }
}

/** What dpkg knows about the package with Node. */
export function nodeControl(node: string, architecture: string): Control {
  return {
    fields: {
      Package: NODE_PACKAGE,
      Version: node,
      Architecture: architecture,
      ...COMMON,
      Depends: 'libc6 (>= 2.28), libgcc-s1 (>= 3.3), libstdc++6 (>= 8)',
      Description: `Node.js for Plantroom\nThe version of Node.js that Plantroom is tested with, because Debian has an\nolder one. It is in ${NODE_HOME}, and not on the path.`,
    },
    conffiles: [],
    scripts: {},
  }
}
