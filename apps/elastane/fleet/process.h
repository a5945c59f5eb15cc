// Another program that is started, paused and killed: parts of a fleet on this machine.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace elastane::app {

class Process {
 public:
  Process() = default;
  // starts it with its output in a file, which grows; throws if that cannot be
  Process(const std::vector<std::string>& command, const std::string& log);
  Process(Process&& other) noexcept;
  Process& operator=(Process&& other) noexcept;
  ~Process();  // kills it

  bool is_running();                  // false also if it was never started
  int code() const { return code_; }  // exit code after it has ended; 128 + signal if one ended it
  double cpu_seconds() const;         // of the processor, so far; 0 if it does not run
  void signal(int number) const;
  void kill();                // and waits for its end
  bool stop(double seconds);  // asks it to end, then kills it; true: it ended by itself

 private:
  pid_t pid_ = -1;
  int code_ = -1;
};

std::string own_program();  // the path of this program

}  // namespace elastane::app
