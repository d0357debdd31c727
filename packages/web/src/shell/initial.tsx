import classes from './frame.module.css'

/** The mark of the signed-in person. Mantine's avatar would be part of the first load. */
export const Initial = ({ of: email }: { of: string }) => (
  <span className={classes.account} aria-hidden>
    {email.slice(0, 1).toUpperCase()}
  </span>
)
