import { Avatar } from '@mantine/core'

/** The mark of the signed-in person. */
export const Initial = ({ of: email }: { of: string }) => (
  <Avatar size={32} radius="xl" color="cyan" variant="filled" aria-hidden>
    {email.slice(0, 1).toUpperCase()}
  </Avatar>
)
