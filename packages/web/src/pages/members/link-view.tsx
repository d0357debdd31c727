import { Button, FocusTrap, Group, Modal, Stack, Text } from '@mantine/core'
import type { InvitedMember } from '@plantroom/client/session'
import { CopyField } from '../../parts/copy-field.tsx'
import { common } from '../../texts/common.ts'
import { members } from '../../texts/members.ts'

const texts = members.link

/** The link of somebody who is to set a password, this once. A click beside it must not lose it. */
export function LinkView({ invited, onClose }: { invited: InvitedMember; onClose: () => void }) {
  const { email, link } = invited
  return (
    <Modal
      opened
      onClose={onClose}
      title={texts.title(email)}
      size="lg"
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': common.close }}
    >
      {/* Enter, pressed once too often, must not close it. */}
      <FocusTrap.InitialFocus />
      <Stack>
        <Text role="status">{link === null ? texts.has : texts.hint}</Text>
        {link !== null && <CopyField label={texts.label} value={link} />}
        <Group justify="flex-end">
          <Button onClick={onClose}>{link === null ? texts.close : texts.done}</Button>
        </Group>
      </Stack>
    </Modal>
  )
}
