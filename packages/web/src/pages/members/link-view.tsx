import { Text } from '@mantine/core'
import type { InvitedMember } from '@plantroom/client/session'
import { CopyField } from '../../parts/copy-field.tsx'
import { ShownOnce } from '../../parts/shown-once.tsx'
import { members } from '../../texts/members.ts'

const texts = members.link

/** The link of somebody who is to set a password. */
export function LinkView({ invited, onClose }: { invited: InvitedMember; onClose: () => void }) {
  const { email, link } = invited
  return (
    <ShownOnce title={texts.title(email)} done={link === null ? texts.close : texts.done} onClose={onClose}>
      <Text role="status">{link === null ? texts.has : texts.hint}</Text>
      {link !== null && <CopyField label={texts.label} value={link} />}
    </ShownOnce>
  )
}
