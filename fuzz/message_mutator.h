// Mutations of any message of protobuf, field by field.
#pragma once

namespace google::protobuf {
class Message;
}  // namespace google::protobuf

namespace nn::fuzz {

// Changes a message, most often in one place. What it copies is from the donor, which may be the
// message itself.
void mutateMessage(google::protobuf::Message& message, google::protobuf::Message& donor,
                   unsigned seed);

}  // namespace nn::fuzz
