// Field-by-field mutations of any protobuf message.
#pragma once

namespace google::protobuf {
class Message;
}  // namespace google::protobuf

namespace nn::fuzz {

// Changes a message, usually in one place. Copied parts come from the donor, which may be the
// message itself.
void mutateMessage(google::protobuf::Message& message, google::protobuf::Message& donor,
                   unsigned seed);

}  // namespace nn::fuzz
