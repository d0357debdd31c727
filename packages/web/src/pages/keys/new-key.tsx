import { Alert } from '@mantine/core'
import type { NewKey } from '@plantroom/client/admin'
import { useSite } from '../../api/use-site.ts'
import { CopyField } from '../../parts/copy-field.tsx'
import { ShownOnce } from '../../parts/shown-once.tsx'
import { keys } from '../../texts/keys.ts'
import { curlLine } from './key-words.ts'

const texts = keys.secret

/** The secret, and how to try it. */
export function NewKeyView({ apiKey, onClose }: { apiKey: NewKey; onClose: () => void }) {
  const { orgId, siteId } = useSite()
  return (
    <ShownOnce title={texts.title(apiKey.name)} done={texts.done} onClose={onClose}>
      <Alert color="orange" variant="light" role="status" title={texts.warning} />
      <CopyField label={texts.label} value={apiKey.apiKey} />
      <CopyField label={texts.curl} value={curlLine(apiKey, { origin: location.origin, orgId, siteId })} />
    </ShownOnce>
  )
}
