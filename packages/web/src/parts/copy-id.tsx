import { apiLines as texts } from '../texts/api-lines.ts'
import { format } from '../texts/format.ts'
import { CopyButton } from './shown-once.tsx'

/** A quiet button that copies the id of something, for programs. */
export function CopyId({ id, name }: { id: string; name: string }) {
  return <CopyButton quiet text={id} label={texts.copyId} name={format(texts.copyIdOf, { name })} />
}
