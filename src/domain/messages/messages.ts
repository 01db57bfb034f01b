/** The verbs of this area; each file has one of its ideas. */
export { answerMessage } from "./answer.ts";
export { notBlocked, partnerOf, recipientsOf, stillThere, subjectOf, takingPart } from "./conversations.ts";
export {
  answeredBy,
  countUnseenMessages,
  findMessage,
  listMessages,
  ownMessages,
  peopleOf,
  readConversation,
} from "./list.ts";
export { answeredFor, idFor } from "./note-ids.ts";
export type { MailQuery } from "./list.ts";
export { importConversation, importMail } from "./import-mail.ts";
export { listRecipients, recipientsAmong } from "./recipients.ts";
export { deleteConversation, deleteMessage, recallMessage, removeMessage } from "./remove.ts";
export { markMessagesSeen, setMessageSeen } from "./seen.ts";
export { sendMessage } from "./send.ts";
export type { NewMessage } from "./send.ts";
export { allOfSecond, findTalk, listTalks, removeTalk, setTalkSeen } from "./talks.ts";
export type { TalkWindow } from "./talks.ts";
export type { Conversation, Mail, MailPage, Talk, TalkName } from "./types.ts";
