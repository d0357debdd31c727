import { Alert, Button, FocusTrap, Group, Modal, Stack } from '@mantine/core'
import type { NewKey } from '@plantroom/client/admin'
import { useSite } from '../../api/use-site.ts'
import { CopyField } from '../../parts/copy-field.tsx'
import { common } from '../../texts/common.ts'
import { keys } from '../../texts/keys.ts'
import { curlLine } from './key-words.ts'

const texts = keys.secret

/** The secret, this once. A click beside it must not lose it. */
export function NewKeyView({ apiKey, onClose }: { apiKey: NewKey; onClose: () => void }) {
  const { orgId, siteId } = useSite()
  return (
    <Modal
      opened
      onClose={onClose}
      title={texts.title(apiKey.name)}
      size="lg"
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': common.close }}
    >
      {/* Enter, pressed once too often, must not close it. */}
      <FocusTrap.InitialFocus />
      <Stack>
        <Alert color="orange" variant="light" role="status" title={texts.warning} />
        <CopyField label={texts.label} value={apiKey.apiKey} />
        <CopyField label={texts.curl} value={curlLine(apiKey, { origin: location.origin, orgId, siteId })} />
        <Group justify="flex-end">
          <Button onClick={onClose}>{texts.done}</Button>
        </Group>
      </Stack>
    </Modal>
  )
}
