// Writes an npm-shrinkwrap.json beside the package-lock.json of each folder in the arguments, with the address of every
// package. Our lockfiles have none, because they suit every registry, and npm then reads each package's list of versions
// to find its address: a third of the time of an installation from the cache. The hashes stay those of the lockfile.
// Node 20 runs this file, so it is JavaScript.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const INSTALLED = 'node_modules/'
const registry = execFileSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8' }).trim().replace(/\/$/, '')

/** Returns the address that registries give a package by convention. */
function addressOf(path, { name = path.slice(path.lastIndexOf(INSTALLED) + INSTALLED.length), version }) {
  return `${registry}/${name}/-/${name.split('/').at(-1)}-${version}.tgz`
}

for (const folder of process.argv.slice(2)) {
  const lockfile = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'))
  for (const [path, entry] of Object.entries(lockfile.packages)) {
    if (path.includes(INSTALLED) && entry.integrity && !entry.resolved) entry.resolved = addressOf(path, entry)
  }
  writeFileSync(join(folder, 'npm-shrinkwrap.json'), JSON.stringify(lockfile))
}
