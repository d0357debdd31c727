import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { noteSkipped } from './note-skipped.ts'

const run = promisify(execFile)

/**
 * Installs Java packages (`group:artifact:version`) and what they need in a folder of their own, from where Maven usually
 * looks. Returns the command that runs a source file with them; `undefined` where they cannot be installed.
 */
export async function installJava(folder: string, packages: readonly string[]): Promise<readonly string[] | undefined> {
  const dependencies = packages.map((each) => {
    const [group, artifact, version] = each.split(':')
    return `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${version}</version></dependency>`
  })
  const project = `<project><modelVersion>4.0.0</modelVersion>
<groupId>local</groupId><artifactId>test</artifactId><version>1</version>
<dependencies>${dependencies.join('')}</dependencies></project>`
  const [pom, jars] = [join(folder, 'pom.xml'), join(folder, 'jars')]
  try {
    await mkdir(folder, { recursive: true })
    await writeFile(pom, project)
    const copy = ['dependency:copy-dependencies', `-DoutputDirectory=${jars}`]
    await run('mvn', ['-q', '-B', '-f', pom, `-Dmaven.repo.local=${join(folder, 'repository')}`, ...copy])
    return ['java', '-cp', join(jars, '*')]
  } catch (error) {
    noteSkipped(packages.join(', '), error)
    return undefined
  }
}
