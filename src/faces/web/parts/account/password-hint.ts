/** What is said beside each field for a new password. */
export const passwordHint = "At least 10 characters. A few words are easier to remember than one, and safer.";
